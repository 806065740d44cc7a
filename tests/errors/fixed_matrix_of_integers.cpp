// SPDX-License-Identifier: BSL-1.0
// expect: fixed_matrix, fixed_vector: the numbers are integers, whose quotients and roots would be truncated; write double, as in fixed_vector<double, 3>
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr cr::fixed_matrix<int, 2> a{{4, 1}, {1, 3}};
const cr::fixed_vector<int, 2> v{1, 2};
#else
constexpr cr::fixed_matrix a{{4, 1}, {1, 3}}; // of double
const cr::fixed_vector v{1, 2};
#endif
const double length = norm(v);
const auto reciprocal = inverse(a);
