// SPDX-License-Identifier: BSL-1.0
// expect: function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of them, as in function(f, wrt(x), given(k = 0.3))
#include "long_expression.hpp"

#ifdef CHAINRULE_BAD
double value = cr::function(f, cr::wrt(x))(2.0);
#else
auto F = cr::function(f, cr::wrt(x, y));
#endif
