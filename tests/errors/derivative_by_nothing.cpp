// SPDX-License-Identifier: BSL-1.0
// expect: derivative: no variable is given; name it, as in derivative(f, x)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto g = cr::derivative(x * y);
#else
auto g = cr::derivative(x * y, x);
#endif
