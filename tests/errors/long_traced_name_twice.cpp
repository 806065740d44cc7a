// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable is given two values; give each variable exactly one
#include "long_traced.hpp"

#ifdef CHAINRULE_BAD
auto result = F.gradient(x = 1.0, x = 2.0);
#else
auto result = F.gradient(x = 1.0, y = 2.0);
#endif
