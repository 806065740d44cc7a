// SPDX-License-Identifier: BSL-1.0
// expect: sin(x), pow(x, y) and other functions: an argument is neither a number nor an expression, or the number of arguments is wrong; pass numbers and expressions, such as F(x) of F = function(...), and numbers of one class only, as many as the function takes
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto f = sin(x, y);
#else
auto f = sin(x);
#endif
