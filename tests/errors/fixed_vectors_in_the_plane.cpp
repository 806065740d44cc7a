// SPDX-License-Identifier: BSL-1.0
// expect: cross: a vector does not have 3 elements; pass two vectors of 3 elements
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto product = cross(cr::fixed_vector{1.0, 2.0}, cr::fixed_vector{3.0, 4.0});
#else
auto product = cross(cr::fixed_vector{1.0, 2.0, 0.0}, cr::fixed_vector{3.0, 4.0, 0.0});
#endif
