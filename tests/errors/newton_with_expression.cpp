// SPDX-License-Identifier: BSL-1.0
// expect: newton: a parameter is given an expression; give it a number, or solve substitute(g, x = q)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto p = cr::variable<"p">;

#ifdef CHAINRULE_BAD
auto root = cr::newton(y * y - x, y, 1.0, x = p);
#else
auto root = cr::newton(substitute(y * y - x, x = p), y, 1.0, p = 2.0);
#endif
