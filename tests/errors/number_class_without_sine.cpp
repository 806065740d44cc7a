// SPDX-License-Identifier: BSL-1.0
// expect: f(x): the class of the number x lacks a function that f calls; define it in the namespace of the class, as in my_number exp(const my_number& x)
#include <chainrule/chainrule.hpp>

#include <cmath>

namespace cr = chainrule;

struct my_angle {
    double value = 0;
    friend constexpr my_angle operator+(my_angle a, my_angle b) { return {a.value + b.value}; }
    friend constexpr my_angle operator-(my_angle a, my_angle b) { return {a.value - b.value}; }
    friend constexpr my_angle operator*(my_angle a, my_angle b) { return {a.value * b.value}; }
    friend constexpr my_angle operator/(my_angle a, my_angle b) { return {a.value / b.value}; }
};
#ifndef CHAINRULE_BAD
inline my_angle sin(const my_angle& x) { return {std::sin(x.value)}; }
inline my_angle cos(const my_angle& x) { return {std::cos(x.value)}; }
#endif

constexpr auto x = cr::variable<"x">;
auto value(my_angle a) { return (sin(x) * cos(x))(x = a); }
