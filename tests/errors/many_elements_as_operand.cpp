// SPDX-License-Identifier: BSL-1.0
// expect: operator: an operand is neither an expression nor a number; use variables, constants such as 2_c, numbers, or chainrule functions of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto joined = cr::vector(sines, sines.get<0>());
#else
auto joined = cr::vector(sines.get<1>(), sines.get<0>());
#endif
