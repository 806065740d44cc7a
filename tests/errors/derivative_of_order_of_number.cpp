// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the first argument is not an expression; of F = function(...) take a member, such as F.gradient(2.0, 5.0), and write 2_c for the number 2
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto r = cr::derivative<2>(2.0, x);
#else
auto r = cr::derivative<2>(sin(x) * y, x);
#endif
