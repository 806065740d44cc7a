// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto f = x * dot(joints, joints);

#ifdef CHAINRULE_BAD
auto result = f(joints = std::array<double, 60>{});
#else
auto result = f(joints = std::array<double, 60>{}, x = 2.0);
#endif
