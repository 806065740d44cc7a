// SPDX-License-Identifier: BSL-1.0
//
// Values and derivatives as the library emits them, each beside the twin that a careful person writes by hand. check.py
// compares the machine code of derived_NAME with that of written_NAME.
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

// The value, then the derivatives by two or three variables.
template <class F, std::size_t N>
[[gnu::always_inline]] inline std::array<double, N + 1> derive(const F& f, const std::array<double, N>& at) {
    const auto r = f.value_and_gradient(at);
    if constexpr (N == 2)
        return {r.value, r.gradient[0], r.gradient[1]};
    else
        return {r.value, r.gradient[0], r.gradient[1], r.gradient[2]};
}
using two = const std::array<double, 2>&;
using three = const std::array<double, 3>&;

// log(x) + x y - sin(y)
std::array<double, 3> derived_original(two at) {
    return derive(cr::function(log(x) + x * y - sin(y), cr::wrt(x, y)), at);
}
std::array<double, 3> written_original(two at) {
    double sine, cosine;
    ::sincos(at[1], &sine, &cosine);
    return {std::log(at[0]) + at[0] * at[1] - sine, 1.0 / at[0] + at[1], at[0] - cosine};
}

// The distance from the origin.
std::array<double, 3> derived_distance(two at) { return derive(cr::function(sqrt(x * x + y * y), cr::wrt(x, y)), at); }
std::array<double, 3> written_distance(two at) {
    const double r = std::sqrt(at[0] * at[0] + at[1] * at[1]), inverse = 1.0 / r;
    return {r, at[0] * inverse, at[1] * inverse};
}

// Rosenbrock's function.
std::array<double, 3> derived_rosenbrock(two at) {
    constexpr auto a = y - x * x;
    constexpr auto b = 1_c - x;
    return derive(cr::function(100_c * (a * a) + b * b, cr::wrt(x, y)), at);
}
std::array<double, 3> written_rosenbrock(two at) {
    const double a = at[1] - at[0] * at[0], b = 1.0 - at[0];
    const double by_y = 200.0 * a;
    return {100.0 * (a * a) + b * b, -2.0 * (at[0] * by_y + b), by_y};
}

// A bell curve.
std::array<double, 3> derived_bell(two at) { return derive(cr::function(exp(-(x * x) - y * y), cr::wrt(x, y)), at); }
std::array<double, 3> written_bell(two at) {
    const double e = std::exp(-(at[0] * at[0]) - at[1] * at[1]), twice = -2.0 * e;
    return {e, at[0] * twice, at[1] * twice};
}

// The volume of a box.
std::array<double, 4> derived_box(three at) { return derive(cr::function(x * y * z, cr::wrt(x, y, z)), at); }
std::array<double, 4> written_box(three at) {
    const double area = at[0] * at[1];
    return {area * at[2], at[1] * at[2], at[0] * at[2], area};
}

// The sum of the coordinates of a picture taken by a pinhole camera.
std::array<double, 4> derived_pinhole(three at) { return derive(cr::function((x + y) / z, cr::wrt(x, y, z)), at); }
std::array<double, 4> written_pinhole(three at) {
    const double value = (at[0] + at[1]) / at[2], inverse = 1.0 / at[2];
    return {value, inverse, inverse, -(value * inverse)};
}

// The logarithm of a sum of exponentials.
std::array<double, 3> derived_soft_maximum(two at) {
    return derive(cr::function(log(exp(x) + exp(y)), cr::wrt(x, y)), at);
}
std::array<double, 3> written_soft_maximum(two at) {
    const double a = std::exp(at[0]), b = std::exp(at[1]), sum = a + b, inverse = 1.0 / sum;
    return {std::log(sum), a * inverse, b * inverse};
}
