// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a parameter is given an expression; give it a number, or write function(substitute(f, k = g), wrt(x))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function(k * x * y, cr::wrt(x, y), cr::given(k = y * y));
#else
constexpr auto F = cr::function(k * x * y, cr::wrt(x, y), cr::given(k = 0.3));
#endif
