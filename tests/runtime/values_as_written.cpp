// SPDX-License-Identifier: BSL-1.0
//
// Are values those of the same plain C++ expression, bit for bit? Each expression stands here once, in a generic function
// that is called with variables and with numbers. Whatever else is asked for together with a value must not change it.
// This file is compiled with -ffp-contract=off (tests/CMakeLists.txt), so that the plain expressions are what they say.
#include "../catch.hpp"

#include <chainrule/chainrule.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace {

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
    std::vector<T> points{T(0), -T(0), T(1), T(-1), T(0.5), T(2), T(5), limits::infinity(), -limits::infinity(),
                          limits::quiet_NaN(), limits::denorm_min(), limits::min(), limits::max(), limits::epsilon()};
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
            const bool right = identical<T>(f(first = a, second = b), expected) && identical<T>(f(second = b, first = a), expected) &&
                               identical<T>(F(a, b), expected) && identical<T>(F.value_and_gradient(a, b).value, expected) &&
                               identical<T>(F.value_gradient_and_hessian(a, b).value, expected) &&
                               identical<T>(cr::value_and_gradient(f)(first = a, second = b).value, expected);
            if (!right && ++wrong == 1) {
                CAPTURE(a, b, expected, f(first = a, second = b), F.value_and_gradient(a, b).value);
                FAIL_CHECK("the value differs from that of the plain expression");
            }
        }
    CHECK(wrong == 0);
}

} // namespace

// NAME(x, y, n): variables or numbers, and n(2.5) for a stored or plain number.
#define AS_WRITTEN(TEXT)                                                                                               \
    SECTION(#TEXT) {                                                                                                   \
        compare<TestType>([](auto x, auto y, [[maybe_unused]] auto n) {                                                \
            using namespace plain;                                                                                     \
            return TEXT;                                                                                               \
        });                                                                                                            \
    }

TEMPLATE_TEST_CASE("values are computed as written: arithmetic", "[values]", float, double, long double) {
    AS_WRITTEN(x + y - x)
    AS_WRITTEN((x + y) + (y + x) - y)
    AS_WRITTEN(x * y + y)
    AS_WRITTEN(y + x * y)
    AS_WRITTEN(x * y - y)
    AS_WRITTEN(y - x * y)
    AS_WRITTEN(x * y + y * y)
    AS_WRITTEN(x * y - x * x)
    AS_WRITTEN(-(x * y) - y)
    AS_WRITTEN(-x - (-y))
    AS_WRITTEN(x / y / y)
    AS_WRITTEN(x / (y * y) + y / x)
    AS_WRITTEN(x * (y * x) * y * (x * y))
    AS_WRITTEN((x - y) * (x - y) / (x + y))
    AS_WRITTEN(x - x + y / y)
    AS_WRITTEN((x + n(0.1)) * (y - n(0.1)) + n(0.1))
    AS_WRITTEN(n(3) * x + n(3) * y)
    AS_WRITTEN(x / n(3) + n(1) / (x + n(2)) * (y + n(3)))
    AS_WRITTEN(n(0) * x + n(1) * y - n(0))
    AS_WRITTEN(x * n(1) + y / n(1) - n(-1) * x)
}

TEMPLATE_TEST_CASE("values are computed as written: functions", "[values]", float, double, long double) {
    AS_WRITTEN(log(x) + x * y - sin(y))
    AS_WRITTEN(sin(x) * cos(x) + sin(y))
    AS_WRITTEN(cos(x * y) - y * sin(x * y))
    AS_WRITTEN(exp(x) / (y + exp(x)))
    AS_WRITTEN(exp(x) * exp(y))
    AS_WRITTEN(sqrt(x) * sqrt(x) + y)
    AS_WRITTEN(x / sqrt(x * x + y * y))
    AS_WRITTEN(sqrt(x) / x + log(exp(y)))
    AS_WRITTEN(tan(x) + tanh(y) * tanh(y))
    AS_WRITTEN(erf(x) + erfc(x) * y)
    AS_WRITTEN(pow(x, y) - pow(y, n(2)))
    AS_WRITTEN(pow(n(2), x) * pow(x, n(-0.5)) + pow(y, n(0)))
    AS_WRITTEN(n(0.5) * erfc(-x / sqrt(n(2))) - y * exp(-x * x / n(2)))
}

TEST_CASE("a value does not depend on the other outputs", "[values]") {
    // sqrt(x) * sqrt(x) equals x for a derivative, not for a value.
    constexpr auto x = first;
    constexpr auto y = second;
    constexpr auto F = cr::function(cr::vector(x, sqrt(x) * sqrt(x), x / y * y, x * x / x), cr::wrt(x, y));
    for (const double a : {0.1, 0.3, 1.0216021709624712, 7.7, 1e300})
        for (const double b : {0.1, 0.3, 3.0, 49.0}) {
            volatile double hidden = a, hidden_b = b;
            const double u = hidden, v = hidden_b;
            const auto [values, jacobian] = F.value_and_jacobian(u, v);
            CHECK(values == F(u, v));
            CHECK(values[0] == u);
            CHECK(values[1] == std::sqrt(u) * std::sqrt(u));
            CHECK(values[2] == u / v * v);
            CHECK(identical(values[3], u * u / u));
            CHECK(jacobian[1][0] == 1);
            CHECK(jacobian[3] == std::array{1.0, 0.0});
        }
}
