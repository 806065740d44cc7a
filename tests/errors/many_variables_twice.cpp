// SPDX-License-Identifier: BSL-1.0
// expect: wrt: a variable is listed twice; list each variable once
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto f = cr::function(sines, cr::wrt(joints, joints));
#else
auto f = cr::function(sines, cr::wrt(joints));
#endif
