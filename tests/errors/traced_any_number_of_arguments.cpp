// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code takes any number of arguments; state how many by their names, as in function(f, wrt(x, y))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto sum = [](auto first, auto... others) { return (first + ... + others); };

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function(sum);
#else
constexpr auto F = cr::function(sum, cr::wrt(x, y));
#endif
