// SPDX-License-Identifier: BSL-1.0
// expect: function: some arguments name their variables and some do not; name all of them, as in F(x = 2.0, y = 5.0), or none
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
double value = cr::function(x * y)(2.0, y = 5.0);
#else
double value = cr::function(x * y)(y = 5.0, x = 2.0);
#endif
