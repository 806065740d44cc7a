// SPDX-License-Identifier: BSL-1.0
// expect: fixed_matrix, fixed_vector: the index in v[...] or A[...] is not a constant such as 0_c, or is past the last; indices start at 0
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr cr::fixed_vector<double, 2> v{1.0, 2.0};

#ifdef CHAINRULE_BAD
double last = v[2_c];
#else
double last = v[1_c];
#endif
