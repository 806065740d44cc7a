// SPDX-License-Identifier: BSL-1.0
// expect: matrix: a row is not a fixed_vector of the size and type of the first; pass such rows
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;
constexpr cr::fixed_vector<double, 2> v{1.0, 2.0};
constexpr cr::fixed_vector<double, 3> w{1.0, 2.0, 3.0};

#ifdef CHAINRULE_BAD
auto a = cr::matrix(v, w);
#else
auto a = cr::matrix(v, v);
#endif
