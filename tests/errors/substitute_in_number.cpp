// SPDX-License-Identifier: BSL-1.0
// expect: substitute: the first argument is not an expression; write substitute(f, x = g, y = h)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto f = cr::substitute(2.0, x = y);
#else
auto f = cr::substitute(2.0 * x, x = y);
#endif
