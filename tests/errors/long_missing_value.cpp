// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
#include "long_expression.hpp"

#ifdef CHAINRULE_BAD
double value = f(x = 2.0);
#else
auto& g = f;
#endif
