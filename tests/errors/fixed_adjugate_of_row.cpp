// SPDX-License-Identifier: BSL-1.0
// expect: determinant, adjugate, inverse, solve: the matrix is not square; pass a square one
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto cofactors = adjugate(cr::fixed_matrix<double, 1, 2>{});
#else
auto cofactors = adjugate(cr::fixed_matrix<double, 2>{});
#endif
