// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable of f has no value; pass a value for every variable, as in f(x = 2.0, y = 5.0)
// expect: the_variable<chainrule::expressions::string_literal<2>{"y"}>::has_a_value
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = log(x) + x * y - sin(y);

#ifdef CHAINRULE_BAD
double value = f(x = 2.0);
#else
double value = f(x = 2.0, y = 5.0);
#endif
