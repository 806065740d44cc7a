// SPDX-License-Identifier: BSL-1.0
// expect: matrix: an index in A(i, j) is not a non-negative exact constant, or there are not two; write A(0_c, 1_c) for the second element of the first row, and A[0_c] for the row
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto A = cr::matrix(cr::vector(x, 1_c), cr::vector(x* x, 2_c));

#ifdef CHAINRULE_BAD
auto corner = A(0, 1);
#else
auto corner = A(0_c, 1_c);
#endif
