// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto sines = joints * sin(dot(joints, joints)) + joints;

#ifdef CHAINRULE_BAD
auto values = sines(joints.get<0>() = 1.0);
#else
auto values = sines(joints = std::array<double, 60>{});
#endif
