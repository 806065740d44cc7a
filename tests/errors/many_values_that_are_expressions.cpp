// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable is given an expression; give it a number, or write substitute(f, x = g)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto joints = cr::variables<"joint", 60>;
constexpr auto f = x * dot(joints, joints);

#ifdef CHAINRULE_BAD
auto value = f(joints = x * joints, x = 2.0);
#else
auto g = substitute(f, joints = x * joints);
#endif
