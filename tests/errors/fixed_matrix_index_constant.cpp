// SPDX-License-Identifier: BSL-1.0
// expect: double d = 2_c, a[0_c]: an exact constant is part of an expression, not a number; write 2.0 or 2_c() for a number, and a[0] for an element of an array or vector of numbers
#include <chainrule/fixed_matrix.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr cr::fixed_matrix<double, 2> A{{4.0, 1.0}, {1.0, 3.0}};

#ifdef CHAINRULE_BAD
auto corner = A(0_c, 1_c);
#else
auto corner = A(0, 1) * 1_c;
#endif
