// SPDX-License-Identifier: BSL-1.0
// expect: derivative<n>: there are several variables; name each as often as the derivative is with respect to it, as in derivative(f, x, x, y)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto d = cr::derivative<2>(x * y, x, y);
#else
auto d = cr::derivative(x * y, x, x, y);
#endif
