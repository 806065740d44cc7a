// SPDX-License-Identifier: BSL-1.0
// expect: F + G, 2 * F, -F: a function made by function(...) is not an expression; make one of f + g, or add the values F(x) + G(x)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto f = x * x;
constexpr auto g = sin(x);
constexpr auto F = cr::function(f, cr::wrt(x));
constexpr auto G = cr::function(g, cr::wrt(x));

#ifdef CHAINRULE_BAD
constexpr auto sum = F + G;
#else
constexpr auto sum = cr::function(f + g, cr::wrt(x));
#endif
