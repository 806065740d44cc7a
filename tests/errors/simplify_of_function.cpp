// SPDX-License-Identifier: BSL-1.0
// expect: simplify, expand: the argument is not an expression; pass one, or a vector or matrix of expressions, such as F.expression() of a function
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto F = cr::function(x * x + x * x, cr::wrt(x));

#ifdef CHAINRULE_BAD
auto f = cr::simplify(F);
#else
auto f = cr::simplify(F.expression());
#endif
