// SPDX-License-Identifier: BSL-1.0
// expect: fixed_vector: the number of elements in the list is not that of the vector; write one number per element, or none for zeros
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr cr::fixed_vector<double, 3> v{{1.0}};
#else
constexpr cr::fixed_vector<double, 3> v{{1.0, 2.0, 3.0}};
static_assert(v[2] == 3.0);
constexpr cr::fixed_vector<double, 3> w(std::array{1.0, 2.0, 4.0});
static_assert(w[2] == 4.0);
#endif
