// SPDX-License-Identifier: BSL-1.0
// expect: f(...): the value of a variable is not a number; pass a number, as in f(x = 2.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
auto value = (x * y)(x = "2.0", y = 5.0);
#else
auto value = (x * y)(x = 2.0, y = 5.0);
#endif
