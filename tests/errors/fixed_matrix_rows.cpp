// SPDX-License-Identifier: BSL-1.0
// expect: fixed_matrix: the lists in braces are not the rows of the matrix; write one list for each row, none longer than a row
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr cr::fixed_matrix<double, 2> a{{1, 2, 3}, {4, 5, 6}};
const cr::fixed_matrix<double, 2, 3> b{{1.0, 2.5}, {3, 4}, {5, 6}};
#else
constexpr cr::fixed_matrix<double, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
const cr::fixed_matrix<double, 3, 2> b{{{1.0, 2.5}, {3, 4}, {5, 6}}};
#endif
