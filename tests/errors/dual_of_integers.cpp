// SPDX-License-Identifier: BSL-1.0
// expect: dual: the type of the values is an integer, in which 3 / 2 is 1; write dual<double>
#include <chainrule/dual.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
constexpr auto half = cr::dual<int>::variable(1) / cr::dual<int>(2);
#else
constexpr auto half = cr::dual<double>::variable(1) / 2;
static_assert(half.value == 0.5);
#endif
