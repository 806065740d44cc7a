// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable is given an expression; give it a number, or write substitute(f, x = g)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto composed = (x * y)(x = y + 1_c, y = 2.0);
#else
auto composed = substitute(x * y, x = y + 1_c);
#endif
