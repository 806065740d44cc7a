// SPDX-License-Identifier: BSL-1.0
// expect: function: the list of variables is the first argument; write function(f, wrt(x, y))
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function(cr::wrt(x, y), x* y));
#else
using function = decltype(cr::function(x * y, cr::wrt(x, y)));
#endif
