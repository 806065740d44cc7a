// SPDX-License-Identifier: BSL-1.0
// expect: determinant(A), inverse(A), solve(A, v) and others: the first argument is not a matrix, or arguments are missing or too many; pass the matrix first, such as matrix(v, w)
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;
constexpr cr::fixed_vector<double, 2> v{1.0, 2.0};
constexpr cr::fixed_matrix<double, 2> A{{4.0, 1.0}, {1.0, 3.0}};

#ifdef CHAINRULE_BAD
auto scaled = determinant(v);
#else
auto scaled = determinant(A) * v[0];
#endif
