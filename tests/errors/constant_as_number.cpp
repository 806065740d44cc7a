// SPDX-License-Identifier: BSL-1.0
// expect: double d = 2_c, a[0_c]: an exact constant is part of an expression, not a number; write 2.0 or 2_c() for a number, and a[0] for an element of an array or vector of numbers
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;

#ifdef CHAINRULE_BAD
double half = 0.5_c;
#else
double half = 0.5_c();
#endif
