// SPDX-License-Identifier: BSL-1.0
// expect: function: there is not one expression for each variable in wrt(...); give that many, or one vector of that many
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto f = F(cr::variables<"joint", 60>);
#else
auto f = F(cr::variables<"joint", 2>);
#endif
