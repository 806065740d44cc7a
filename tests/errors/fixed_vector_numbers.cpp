// SPDX-License-Identifier: BSL-1.0
// expect: fixed_vector: the list has not as many numbers as the vector; write one number for each element, or none for zeros
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
