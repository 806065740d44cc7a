// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the first argument is not an expression; of F = function(...) take a member, such as F.gradient(2.0, 5.0), and write 2_c for the number 2
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function([](auto u, auto v) { return u * sin(v); });

#ifdef CHAINRULE_BAD
auto f = cr::derivative(F, x);
#else
auto f = cr::derivative(x * sin(y), x);
#endif
