// SPDX-License-Identifier: BSL-1.0
// expect: derivative: the second argument is not a variable; pass one, as in derivative(f, x) with x = variable<"x">
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = log(x) + x * y - sin(y);

#ifdef CHAINRULE_BAD
auto fx = cr::derivative(f, x + y);
#else
auto fx = cr::derivative(f, x);
#endif
