// SPDX-License-Identifier: BSL-1.0
// expect: function: the point does not have one number per variable in wrt(...); pass that many
#include "long_expression.hpp"

#ifdef CHAINRULE_BAD
double value = cr::function(f, cr::wrt(x, y)).jvp(1.0, 2.0);
#else
auto F = cr::function(f, cr::wrt(x, y));
#endif
