// SPDX-License-Identifier: BSL-1.0
// expect: function: an argument beside expressions is neither an expression nor a number; pass one for each variable, or one vector of expressions
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto f = F(x * x, "2");
#else
auto f = F(x * x, 2);
#endif
