// SPDX-License-Identifier: BSL-1.0
// expect: substitute: a variable is replaced by what is neither an expression nor a number; write substitute(f, x = g, y = h)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto r = cr::substitute(sin(x) * y, x = cr::vector(y, y));
#else
auto r = cr::substitute(sin(x) * y, x = y);
#endif
