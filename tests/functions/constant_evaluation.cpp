// SPDX-License-Identifier: BSL-1.0
//
// The functions of constant_evaluation.hpp against <cmath> over their whole domains. Float and double are compared with
// the next wider type of <cmath>, so that about half a unit in the last place can be required.
// tests/functions/static/constant_evaluation.cpp shows the special values, and that the functions are constant
// expressions.
#include "catch.hpp"

#include <chainrule/functions/constant_evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <random>
#include <type_traits>

namespace {

namespace ce = chainrule::constant_evaluation;

constexpr int points = 4000;

template <class T>
using wider = std::conditional_t<std::same_as<T, float>, double, long double>;

/// Half a unit for the rounding, and what <cmath> may be off in the type it is used in.
template <class T>
constexpr double allowed_error = std::numeric_limits<wider<T>>::digits > std::numeric_limits<T>::digits ? 0.51 : 5;

/// |value - reference| in units in the last place that reference has in T.
template <class T>
double units_off(T value, wider<T> reference) {
    using limits = std::numeric_limits<T>;
    if (value == reference) return 0;
    if (std::isinf(value) && std::abs(reference) > limits::max()) return 0;
    const int lowest = limits::min_exponent;
    const int exponent = reference == 0 ? lowest : std::max(std::ilogb(reference) + 1, lowest);
    return static_cast<double>(std::abs(std::ldexp(value - reference, limits::digits - exponent)));
}

/// Seeded points of an interval: half of them uniform, half with a uniform exponent from where T begins.
template <class T>
class interval {
public:
    interval(double lower, double upper) : lower_(static_cast<T>(lower)), upper_(static_cast<T>(upper)) {}

    T next() {
        const T uniform = std::uniform_real_distribution<T>(0, 1)(random_);
        if (random_() % 2 == 0) return lower_ + (upper_ - lower_) * uniform;
        const T end = lower_ < 0 && random_() % 2 == 0 ? lower_ : upper_;
        const T lowest = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
        const T exponent = lowest + (std::log2(std::abs(end)) - lowest) * uniform;
        return std::clamp(std::copysign(std::exp2(exponent), end), lower_, upper_);
    }

private:
    T lower_, upper_;
    std::mt19937_64 random_{20};
};

template <class T>
void compare(auto function, auto reference, double lower, double upper, double allowed = allowed_error<T>) {
    interval<T> arguments(lower, upper);
    T worst_argument = 0;
    double worst = 0;
    for (int i = 0; i < points; ++i) {
        const T x = arguments.next();
        const double error = units_off(function(x), reference(static_cast<wider<T>>(x)));
        if (!(error <= worst)) {
            worst = error;
            worst_argument = x;
        }
    }
    CAPTURE(worst_argument);
    CHECK(worst <= allowed);
}

} // namespace

#define COMPARE(NAME, LOWER, UPPER)                                                                                    \
    SECTION(#NAME)                                                                                                     \
    compare<TestType>([](auto x) { return ce::NAME(x); }, [](auto x) { return std::NAME(x); }, LOWER, UPPER)

TEMPLATE_TEST_CASE("constant evaluation agrees with <cmath>", "[functions]", float, double, long double) {
    constexpr double range = std::is_same_v<TestType, float> ? 3e38 : 1e308;
    COMPARE(exp, -760, 710);
    COMPARE(expm1, -50, 710);
    COMPARE(log, 0, range);
    COMPARE(log1p, -0.9999, 10);
    COMPARE(sqrt, 0, range);
    COMPARE(cbrt, -range, range);
    COMPARE(sin, -1e9, 1e9);
    COMPARE(cos, -1e9, 1e9);
    COMPARE(tan, -1e9, 1e9);
    COMPARE(asin, -1, 1);
    COMPARE(acos, -1, 1);
    COMPARE(atan, -10, 10);
    COMPARE(sinh, -720, 720);
    COMPARE(cosh, -720, 720);
    COMPARE(tanh, -20, 20);
    COMPARE(erf, -6, 6);
    COMPARE(erfc, -6, 27.3);
    COMPARE(fabs, -10, 10);
    COMPARE(floor, -1e6, 1e6);
    COMPARE(trunc, -1e6, 1e6);
}

TEMPLATE_TEST_CASE("constant evaluation of pow agrees with <cmath>", "[functions]", float, double, long double) {
    using wide = wider<TestType>;
    for (const double number : {1e-30, 0.1, 0.5, 0.999, 1.001, 2.0, 3.7, 10.0, 1e30}) {
        const TestType base = static_cast<TestType>(number);
        compare<TestType>([=](TestType y) { return ce::pow(base, y); },
                          [=](wide y) { return std::pow(static_cast<wide>(base), y); }, -300, 300);
    }
    interval<TestType> exponents(-300, 300);
    for (int i = 0; i < 50; ++i) {
        const TestType exponent = exponents.next();
        compare<TestType>([=](TestType x) { return ce::pow(x, exponent); },
                          [=](wide x) { return std::pow(x, static_cast<wide>(exponent)); }, 0, 5);
    }
}

TEMPLATE_TEST_CASE("constant evaluation of atan2 agrees with <cmath>", "[functions]", float, double, long double) {
    using wide = wider<TestType>;
    for (const double number : {-1e10, -0.75, 1e-10, 0.5, 0.999, 1.0}) {
        const TestType x = static_cast<TestType>(number);
        // Results below the normal range are rounded more than once.
        compare<TestType>([=](TestType y) { return ce::atan2(y, x); },
                          [=](wide y) { return std::atan2(y, static_cast<wide>(x)); }, -1, 1,
                          allowed_error<TestType> + 1);
    }
}

TEST_CASE("constant evaluation of sqrt is correctly rounded", "[functions]") {
    interval<double> arguments(0, 4);
    for (int i = 0; i < points; ++i) {
        const double x = arguments.next();
        REQUIRE(ce::sqrt(x) == std::sqrt(x));
    }
    for (double x = 4, y = 1; y > 0.999999999999; x = std::nextafter(x, 0.0), y = std::nextafter(y, 0.0)) {
        REQUIRE(ce::sqrt(x) == std::sqrt(x));
        REQUIRE(ce::sqrt(y) == std::sqrt(y));
    }
}
