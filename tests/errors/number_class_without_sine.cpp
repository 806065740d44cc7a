// SPDX-License-Identifier: BSL-1.0
// expect: f(x): the class of the number x lacks a function that f calls; define it in the namespace of the class, as in my_number exp(const my_number& x)
#include <chainrule/chainrule.hpp>

#include <cmath>

#include "number_class.hpp"

namespace cr = chainrule;
struct unit;
using my_number = number_of<unit>;

#ifndef CHAINRULE_BAD
inline my_number sin(const my_number& x) { return {std::sin(x.value)}; }
inline my_number cos(const my_number& x) { return {std::cos(x.value)}; }
#endif

constexpr auto x = cr::variable<"x">;
auto value(my_number a) { return (sin(x) * cos(x))(x = a); }
