// SPDX-License-Identifier: BSL-1.0
// expect: f(...): the value of a variable is not a number; pass a number, as in f(x = 2.0)
#include "long_expression.hpp"

#ifdef CHAINRULE_BAD
double value = f(x = "2", y = 5.0);
#else
auto F = cr::function(f, cr::wrt(y, x));
#endif
