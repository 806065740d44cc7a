// SPDX-License-Identifier: BSL-1.0
// expect: gradient: f is a vector; use jacobian(f, wrt(x, y))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto derivatives = cr::gradient(sines);
#else
auto derivatives = cr::jacobian(sines);
#endif
