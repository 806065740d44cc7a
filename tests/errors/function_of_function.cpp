// SPDX-License-Identifier: BSL-1.0
// expect: function: the first argument was made by function(...) itself; pass its expression, as in function(2 * F(x), wrt(x))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto F = cr::function(x * x, cr::wrt(x));
#ifdef CHAINRULE_BAD
constexpr auto G = cr::function(F, cr::wrt(x));
#else
constexpr auto G = cr::function(2 * F(x), cr::wrt(x));
#endif
static_assert(G(3.0) == 18.0);
