// SPDX-License-Identifier: BSL-1.0
// expect: fixed_vector: the number of elements in the list is not that of the vector; write one number per element, or none for zeros
// expect: fixed_matrix: the numbers of a matrix are not in rows; write one list for each row, as in {{1.0, 2.0}, {3.0, 4.0}}
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr cr::fixed_vector<double, 3> v{1, 2.0};
constexpr cr::fixed_matrix<double, 2> a(1.0);
#else
constexpr cr::fixed_vector<double, 2> v{1, 2.0};
constexpr auto a = 1.0 * cr::fixed_matrix<double, 2>::identity();
#endif
