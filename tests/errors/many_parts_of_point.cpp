// SPDX-License-Identifier: BSL-1.0
// expect: function: the arguments do not fit the variables in wrt(...); pass a number for each variable or a range for each vector of variables, in their order, or name them, as in F(x = 2.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto speeds = cr::variables<"speed", 40>;
constexpr auto f = cr::function(dot(joints, joints) + exp(dot(speeds, speeds)), cr::wrt(joints, speeds));

#ifdef CHAINRULE_BAD
auto value = f(std::array<double, 40>{}, std::array<double, 60>{});
#else
auto value = f(std::array<double, 60>{}, std::array<double, 40>{});
#endif
