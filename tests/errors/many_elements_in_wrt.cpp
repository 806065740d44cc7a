// SPDX-License-Identifier: BSL-1.0
// expect: wrt: an argument is not a variable; pass variables only, as in wrt(x, y)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto f = cr::function(sines, sines);
#else
auto f = cr::function(sines, joints);
#endif
