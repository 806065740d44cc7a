// SPDX-License-Identifier: BSL-1.0
// expect: determinant, inverse, solve, cholesky, log_det, trace: the matrix is not square; pass a square one
// expect: solve: the right-hand side is not a fixed_vector or fixed_matrix; pass one with as many rows as the matrix
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr cr::fixed_matrix<double, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
double value() { return determinant(a); }
void result() { solve(cr::fixed_matrix<double, 2>{{1, 2}, {3, 4}}, 1.0); }
#else
constexpr cr::fixed_matrix<double, 2> a{{1, 2}, {3, 4}};
double value() { return determinant(a); }
auto result() { return solve(a, cr::fixed_vector{1.0, 0.0}); }
#endif
