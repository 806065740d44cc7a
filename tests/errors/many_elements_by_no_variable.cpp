// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the second argument is not a variable; pass one, as in derivative(f, x) with x = variable<"x">
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto derivatives = cr::derivative(sines, joints);
#else
auto derivatives = cr::derivative(sines, joints.get<0>());
#endif
