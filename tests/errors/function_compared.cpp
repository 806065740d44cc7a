// SPDX-License-Identifier: BSL-1.0
// expect: F == G, F < G: functions made by function(...) are not compared; compare the values F(x) and G(x), or expressions by same(f, g)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto f = x * x;
constexpr auto F = cr::function(f, cr::wrt(x));
constexpr auto G = cr::function([](auto t) { return t * t; });

#ifdef CHAINRULE_BAD
constexpr bool equal = F == G;
#else
constexpr bool equal = F(2.0) == G(2.0);
#endif
