// SPDX-License-Identifier: BSL-1.0
// expect: matrix<n>: the argument is not a vector; pass one, as in matrix<2>(vector(a, b, c, d)), and elements(A) of a matrix
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto A = cr::matrix(cr::vector(x, x* x));

#ifdef CHAINRULE_BAD
auto column = cr::matrix<1>(A);
#else
auto column = cr::matrix<1>(elements(A));
#endif
