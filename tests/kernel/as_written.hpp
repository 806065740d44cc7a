// SPDX-License-Identifier: BSL-1.0
//
// Tests that values equal those of the same plain C++ expression bit for bit. Each expression is written once, in a
// generic function that is called with variables and with numbers. Requesting more results must not change a value.
// Everything is compiled with -ffp-contract=off (tests/CMakeLists.txt), so that the plain expressions are computed as
// written.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace as_written {

namespace cr = chainrule;

constexpr auto first = cr::variable<"x">;
constexpr auto second = cr::variable<"y">;

// The functions in one namespace for expressions and numbers.
namespace plain {
using std::cos, std::erf, std::erfc, std::exp, std::log, std::pow, std::sin, std::sqrt, std::tan, std::tanh;
}

/// The same number, or both not a number.
template <class T>
bool identical(T a, T b) {
    if (a != a || b != b) return a != a && b != b;
    return a == b && std::signbit(a) == std::signbit(b);
}

template <class T>
std::vector<T> coordinates() {
    using limits = std::numeric_limits<T>;
    std::vector<T> points{T(0),
                          -T(0),
                          T(1),
                          T(-1),
                          T(0.5),
                          T(2),
                          T(5),
                          limits::infinity(),
                          -limits::infinity(),
                          limits::quiet_NaN(),
                          limits::denorm_min(),
                          limits::min(),
                          limits::max(),
                          limits::epsilon()};
    std::mt19937_64 random(3);
    for (int i = 0; i < 40; ++i) points.push_back(static_cast<T>(std::normal_distribution<double>(0, 2)(random)));
    return points;
}

template <class T, class Written>
void compare(const Written& written) {
    const auto f = written(first, second, [](double number) { return static_cast<T>(number); });
    const auto F = cr::function(f, cr::wrt(first, second));
    const std::vector<T> points = coordinates<T>();
    int wrong = 0;
    for (const T u : points)
        for (const T v : points) {
            // The compiler must not calculate in advance, with other roundings or other functions.
            volatile T hidden_u = u, hidden_v = v;
            const T a = hidden_u, b = hidden_v;
            const T expected = written(a, b, [](double number) { return static_cast<T>(number); });
            const bool right = identical<T>(f(first = a, second = b), expected) &&
                               identical<T>(f(second = b, first = a), expected) && identical<T>(F(a, b), expected) &&
                               identical<T>(F.value_and_gradient(a, b).value, expected) &&
                               identical<T>(F.value_gradient_and_hessian(a, b).value, expected) &&
                               identical<T>(cr::value_and_gradient(f)(first = a, second = b).value, expected);
            if (!right && ++wrong == 1) {
                CAPTURE(a, b, expected, f(first = a, second = b), F.value_and_gradient(a, b).value);
                FAIL_CHECK("the value differs from that of the plain expression");
            }
        }
    CHECK(wrong == 0);
}

} // namespace as_written

// An expression of x, y, n: variables or numbers, and n(2.5) for a stored or plain number.
#define AS_WRITTEN(TEXT)                                                                                               \
    SECTION(#TEXT) {                                                                                                   \
        as_written::compare<TestType>([](auto x, auto y, [[maybe_unused]] auto n) {                                    \
            using namespace as_written::plain;                                                                         \
            return TEXT;                                                                                               \
        });                                                                                                            \
    }
