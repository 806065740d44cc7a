// SPDX-License-Identifier: BSL-1.0
// expect: wrt: an argument is not a variable; pass variables only, as in wrt(x, y)
#include "long_expression.hpp"

#ifdef CHAINRULE_BAD
auto F = cr::function(f, cr::wrt(2.0));
#else
auto F = cr::function(f, cr::wrt(x));
#endif
