// SPDX-License-Identifier: BSL-1.0
// expect: fixed_matrix: A[i] is not an element; write A(i, j) for an element, or A.row(i)
// expect: fixed_matrix: the numbers of a matrix are not in rows; write one list for each row, as in {{1.0, 2.0}, {3.0, 4.0}}
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr cr::fixed_matrix<double, 2, 2> flat{1.0, 2.0, 3.0, 4.0};
double element(const cr::fixed_matrix<double, 2, 2>& a) { return a[0][1]; }
#else
constexpr cr::fixed_matrix<double, 2, 2> in_rows{{1.0, 2.0}, {3.0, 4.0}};
double element(const cr::fixed_matrix<double, 2, 2>& a) { return a(0, 1); }
#endif
