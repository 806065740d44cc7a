// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value, and a value is given for one that does not occur in f; check its name
#include "long_traced.hpp"

#ifdef CHAINRULE_BAD
double value = F(x = 1.0, z = 2.0);
#else
double value = F(x = 1.0, y = 2.0);
#endif
