// SPDX-License-Identifier: BSL-1.0
// expect: determinant(A), inverse(A), solve(A, v) and others: the first argument is not a matrix, or arguments are missing or too many; pass the matrix first, such as matrix(v, w)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto v = cr::vector(x, x* y);

#ifdef CHAINRULE_BAD
auto inverse_of = inverse(v);
#else
auto inverse_of = inverse(cr::matrix(v, cr::vector(y, x)));
#endif
