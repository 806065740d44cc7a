// SPDX-License-Identifier: BSL-1.0
//
// Function templates of a program that are named as functions of the library: calls of numbers are not ambiguous, and
// those with a namespace or in parentheses reach the program's.
#include "catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/trace.hpp>

#include <complex>
#include <limits>
#include <vector>

namespace program {

// Not those of the library, so that values tell which one was called.
template <class T>
T sigmoid(T x) {
    return 10.0 * x;
}
template <class T>
T relu(const T& x) {
    return 20.0 * x;
}
template <class T>
T max(T x, T) {
    return 30.0 * x;
}

template <class T>
bool isnan(T) {
    return true;
}
template <class T>
bool isinf(T) {
    return true;
}
template <class T>
bool isfinite(T) {
    return false;
}
template <class T>
bool isnormal(T) {
    return false;
}
template <class T>
bool signbit(T) {
    return true;
}

template <class T>
int fpclassify(T) {
    return FP_NAN;
}

template <class T>
T unqualified(const T& x) {
    return sigmoid(x) + relu(x);
}
template <class T>
bool is_ordinary(const T& x) {
    return isfinite(x) && isnormal(x) && !isnan(x) && !isinf(x) && !signbit(x) && fpclassify(x) == FP_NORMAL;
}
template <class T>
T of_expression(const T& x) {
    return sigmoid(T(2.0 * x)) + relu(2.0 * x);
}
template <class T>
T qualified(const T& x) {
    return program::sigmoid(x) + (sigmoid)(x) + program::relu(x) + (relu)(x) + (max)(x, x);
}

} // namespace program

namespace {

namespace tape = chainrule::tape;

template <class T>
void check(const T& x) {
    using chainrule::sigmoid;
    CHECK(value(T(program::unqualified(x))) == sigmoid(3.0) + 3.0);
    CHECK(value(T(program::of_expression(x))) == sigmoid(6.0) + 6.0);
    CHECK(value(T(program::qualified(x))) == 30.0 + 30.0 + 60.0 + 60.0 + 90.0);
    CHECK(program::is_ordinary(x));
    CHECK_FALSE(program::is_ordinary(T(-x)));
    CHECK_FALSE(program::is_ordinary(T(x * std::numeric_limits<double>::infinity())));
}

} // namespace

TEST_CASE("functions of a program and of the library have one name", "[tape]") {
    tape::tape t;
    check(t.variable(3.0));
    check(tape::eager<double>(t.variable(3.0)));
    tape::trace u;
    check(u.variable(3.0));
    check(chainrule::dual<double, 1>::variable(3.0, 0));
    tape::basic_tape<chainrule::dual<double, 1>> nested;
    const auto x = nested.variable(chainrule::dual<double, 1>::variable(3.0, 0));
    const tape::active<chainrule::dual<double, 1>> y = program::unqualified(x);
    nested.backward(y);
    CHECK(x.gradient().value == Approx(1.0 + chainrule::sigmoid(3.0) * (1.0 - chainrule::sigmoid(3.0))));
    auto r = tape::record(
        [](const auto& at) {
            using T = std::remove_cvref_t<decltype(at[0])>;
            return std::vector<T>{program::unqualified(at[0]), program::of_expression(at[0]),
                                  program::qualified(at[0])};
        },
        std::vector{1.0});
    CHECK(r(std::vector{3.0}) == std::vector{chainrule::sigmoid(3.0) + 3.0, chainrule::sigmoid(6.0) + 6.0, 270.0});
}

namespace program {

// Of a list of any numbers: the library has functions of these names of a function and a point.
template <class V>
V gradient(const V& values) {
    V differences = values;
    for (std::size_t i = 1; i < values.size(); ++i) differences[i] = values[i] - values[i - 1];
    return differences;
}
template <class V>
V hessian(const V& values) {
    return gradient(gradient(values));
}
template <class V>
void record(const V&) {}
template <class V>
V hvp(const V& values) {
    return values;
}
template <class V, class W>
V jvp(const V& values, const W&) {
    return values;
}
template <class T>
T curvature(const std::vector<T>& x) {
    record(x);
    return hessian(jvp(hvp(x), x))[2];
}

} // namespace program

TEST_CASE("functions of a program take lists of active numbers under names of derivatives", "[tape]") {
    using list = std::vector<double>;
    CHECK(tape::gradient([](const auto& x) { return program::curvature(x); }, list{1.0, 2.0, 4.0}) ==
          list{1.0, -2.0, 1.0});
}

namespace program {

// Operators of numbers, which expressions convert to.
template <class T>
struct vec2 {
    T x, y;
    friend vec2 operator+(const vec2& a, const vec2& b) { return {a.x + b.x, a.y + b.y}; }
    friend vec2 operator*(const T& s, const vec2& a) { return {s * a.x, s * a.y}; }
    friend vec2 operator/(const vec2& a, const T& s) { return {a.x / s, a.y / s}; }
    vec2 operator-(const T& s) const { return {x - s, y - s}; }
};
// A class with sums and products of its objects, as of complex numbers: expressions could store it as a number.
template <class T>
struct turn {
    T c, s;
    friend turn operator+(const turn& a, const turn& b) { return {a.c + b.c, a.s + b.s}; }
    friend turn operator*(const turn& a, const turn& b) { return {a.c * b.c - a.s * b.s, a.c * b.s + a.s * b.c}; }
    friend turn operator*(const T& k, const turn& a) { return {k * a.c, k * a.s}; }
};

// A class template whose default argument exists for its own arguments only, as that of Eigen::Block.
struct storage {
    static constexpr bool is_direct = true;
};
template <class X, bool IsDirect = X::is_direct>
struct view {
    friend double operator*(const tape::active<double>& a, const view&) { return 3.0 * a.value(); }
};

} // namespace program

namespace {

template <class F>
void same_as_with_dual_numbers(const F& f) {
    const auto found = tape::gradient(f, std::array{3.0, 4.0});
    const auto exact = f(chainrule::dual_variables(3.0, 4.0));
    CHECK(found[0] == Approx(exact.tangents[0]));
    CHECK(found[1] == Approx(exact.tangents[1]));
    const auto curvature = tape::hessian(f, std::array{3.0, 4.0}).hessian[0][1];
    const auto slope = [&](double y) { return tape::gradient(f, std::array{3.0, y})[0]; };
    CHECK(curvature == Approx((slope(4.0 + 1e-5) - slope(4.0 - 1e-5)) / 2e-5).epsilon(1e-6));
}

} // namespace

TEST_CASE("operators of a class template of the user take expressions of active numbers", "[tape]") {
    const auto f = [](const auto& at) {
        using T = std::remove_cvref_t<decltype(at[0])>;
        const program::vec2<T> v{at[0], at[1]};
        const program::vec2<T> u = (1.0 / sqrt(v.x * v.x + v.y * v.y)) * v + v / (v.x + 2.0) - v.x * v.y;
        return T(u.x * u.y);
    };
    same_as_with_dual_numbers(f);
    same_as_with_dual_numbers([](const auto& at) {
        using T = std::remove_cvref_t<decltype(at[0])>;
        const program::turn<T> a{at[0], at[1]};
        const program::turn<T> b = (at[0] * at[1]) * a + (1.0 / at[1]) * (a * a);
        return T(b.c * b.s);
    });
}

TEST_CASE("operators of a class template with default arguments", "[tape]") {
    CHECK(tape::active<double>(2.0) * program::view<program::storage>() == 6.0);
}

TEST_CASE("std::complex of active numbers takes their expressions", "[tape]") {
    const auto f = [](const auto& at) {
        using T = std::remove_cvref_t<decltype(at[0])>;
        const std::complex<T> z(at[0], at[1]);
        std::complex<T> w = at[0] * at[1] * z + (1.0 - at[0]) - z / (at[0] * at[0]) + (at[1] * at[1]) / z;
        w = (w + at[0] * at[1]) * (at[0] - at[1]) - (w - exp(at[1] / 4.0)) + log10(w) * sqrt(z);
        return T(real(w) * imag(w) + abs(w));
    };
    same_as_with_dual_numbers(f);
    tape::trace t;
    const std::vector x{t.variable(3.0), t.variable(4.0)};
    CHECK(value(f(x)) == Approx(f(std::array{3.0, 4.0})));
}
