// SPDX-License-Identifier: BSL-1.0
// expect: dot: the vectors have different sizes; use two vectors of equal size
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto product = dot(cr::fixed_vector{1.0, 2.0}, cr::fixed_vector{3.0, 4.0, 5.0});
#else
auto product = dot(cr::fixed_vector{1.0, 2.0}, cr::fixed_vector{3.0, 4.0});
#endif
