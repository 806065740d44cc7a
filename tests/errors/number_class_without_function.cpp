// SPDX-License-Identifier: BSL-1.0
// expect: f(x): the class of the number x lacks a function that f calls; define it in the namespace of the class, as in my_number exp(const my_number& x)
#include <chainrule/chainrule.hpp>

#include <cmath>

#include "number_class.hpp"

namespace cr = chainrule;
struct unit;
using my_number = number_of<unit>;

#ifndef CHAINRULE_BAD
inline my_number exp(const my_number& x) { return {std::exp(x.value)}; }
#endif

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
auto values(my_number a, my_number b) { return cr::function(exp(x * y), cr::wrt(x, y)).value_and_gradient(a, b); }
