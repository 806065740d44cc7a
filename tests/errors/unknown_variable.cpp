// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value, and a value is given for one that does not occur in f; check its name
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto f = log(x) + x * y - sin(y);

#ifdef CHAINRULE_BAD
double value = f(x = 2.0, z = 5.0);
#else
double value = f(x = 2.0, y = 5.0, z = 1.0); // ignored
#endif
