// SPDX-License-Identifier: BSL-1.0
//
// Relaxed functions call a vector library for several calls at once: within its error of the functions as written, also
// at the edges; constant evaluation and functions as written do not.
#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "catch.hpp"

namespace cr = chainrule;

namespace {

/// Four calls of a function.
template <auto Function>
constexpr auto four_calls =
    [](const auto& q) { return std::array{Function(q[0]), Function(q[1]), Function(q[2]), Function(q[3])}; };
template <auto Function>
constexpr auto relaxed = cr::function<4>(four_calls<Function>, cr::relaxed());

template <class T>
void check_near(T expected, T found) {
    INFO(expected << " and " << found);
    if (std::isnan(expected))
        CHECK(std::isnan(found));
    else if (std::isinf(expected) || expected == 0)
        CHECK(expected == found);
    else
        CHECK(std::abs(found - expected) <= 8 * std::numeric_limits<T>::epsilon() * std::abs(expected));
}

template <auto Function, class T>
void check(std::array<T, 4> at) {
    const std::array<T, 4> found = relaxed<Function>(at);
    for (std::size_t i = 0; i < 4; ++i) {
        INFO("argument " << at[i]);
        check_near(Function(at[i]), found[i]);
    }
}

template <auto Function, class T>
void check_everywhere(T first, T last) {
    for (int i = 0; i < 40; ++i) {
        const T step = (last - first) / 163;
        const T x = first + step * static_cast<T>(4 * i);
        check<Function, T>({x, x + step, x + 2 * step, x + 3 * step});
    }
}

} // namespace

#define CHECK_FUNCTION(NAME, FIRST, LAST)                                                                              \
    {                                                                                                                  \
        using std::NAME;                                                                                               \
        constexpr auto function = [](const auto& x) { return NAME(x); };                                               \
        check_everywhere<function, double>(FIRST, LAST);                                                               \
        check_everywhere<function, float>(static_cast<float>(FIRST), static_cast<float>(LAST));                        \
    }

TEST_CASE("relaxed calls are within the error of the vector library"){
    CHECK_FUNCTION(exp, -20, 20) CHECK_FUNCTION(exp2, -20, 20) CHECK_FUNCTION(expm1, -8, 20)
        CHECK_FUNCTION(log, 0.01, 100) CHECK_FUNCTION(log10, 0.01, 100) CHECK_FUNCTION(log1p, -0.9, 100)
            CHECK_FUNCTION(cbrt, 0.01, 100) CHECK_FUNCTION(sin, 0.1, 3) CHECK_FUNCTION(cos, -1.5, 1.5)
                CHECK_FUNCTION(tan, -1.5, 1.5) CHECK_FUNCTION(asin, -0.95, 0.95) CHECK_FUNCTION(atan, -20, 20)
                    CHECK_FUNCTION(sinh, -8, 8) CHECK_FUNCTION(cosh, -8, 8) CHECK_FUNCTION(asinh, -20, 20)
                        CHECK_FUNCTION(atanh, -0.95, 0.95) CHECK_FUNCTION(erf, -3, 3) CHECK_FUNCTION(erfc, -3, 3)}
#if defined(CHAINRULE_HAS_LIBMVEC)
TEST_CASE("relaxed calls are those of the vector library, bit for bit") {
    constexpr auto sine = [](const auto& x) {
        using std::sin;
        return sin(x);
    };
    using chainrule::codegen::lanes_at_once;
    constexpr std::size_t lanes = lanes_at_once<double>;
    int different = 0;
    for (int i = 0; i < 500; ++i) {
        std::array<double, 4> at{};
        for (std::size_t k = 0; k < 4; ++k) at[k] = 0.01 * (i + 7 * static_cast<int>(k));
        const std::array<double, 4> found = relaxed<sine>(at);
        for (std::size_t k = 0; k < 4; k += lanes) {
            const auto expected = chainrule::codegen::libmvec::sin(chainrule::simd::load<lanes>(at.data() + k));
            for (std::size_t l = 0; l < lanes; ++l) {
                CHECK(found[k + l] == expected[l]);
                different += found[k + l] != std::sin(at[k + l]);
            }
        }
    }
    CHECK(different > 0); // else the calls could be those of the standard library
}
#endif

TEST_CASE("relaxed calls have the values of the functions at the edges") {
    constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto exponential = [](const auto& x) {
        using std::exp;
        return exp(x);
    };
    check<exponential, double>({-infinity, infinity, nan, 0.0});
    check<exponential, double>({-745.0, 709.7, 1000.0, -1000.0});
    constexpr auto logarithm = [](const auto& x) {
        using std::log;
        return log(x);
    };
    check<logarithm, double>({0.0, -1.0, infinity, nan});
    constexpr auto sine = [](const auto& x) {
        using std::sin;
        return sin(x);
    };
    check<sine, double>({infinity, nan, 0.0, 1e22});
    constexpr auto complement = [](const auto& x) {
        using std::erfc;
        return erfc(x);
    };
    check<complement, double>({-infinity, infinity, nan, 30.0});
}

TEST_CASE("relaxed calls in groups of every size, with branches, sines with cosines and stored numbers") {
    constexpr auto arm = [](const auto& q, const auto& k) {
        using std::cos, std::exp, std::sin;
        auto x = k * q[0], y = 0.5 * q[0], angle = 0.0 * q[0];
        for (std::size_t i = 0; i < 5; ++i) {
            angle += q[i];
            x += k * cos(angle) + cr::select(angle > 1.0, exp(-angle), sin(q[i] * k));
            y += sin(angle);
        }
        return x * x + y * y;
    };
    std::array<double, 5> at = {0.1, 0.4, -0.3, 0.7, 0.2};
    auto F = cr::function(arm, cr::wrt(cr::variables<"q", 5>), cr::given(cr::variable<"k"> = 0.75));
    auto G = cr::function(arm, cr::wrt(cr::variables<"q", 5>), cr::given(cr::variable<"k"> = 0.75), cr::relaxed());
    for (const double k : {0.75, 1.5}) {
        F.set(cr::variable<"k"> = k);
        G.set(cr::variable<"k"> = k);
        const auto expected = F.value_gradient_and_hessian(at), found = G.value_gradient_and_hessian(at);
        CHECK(found.value == Approx(expected.value).epsilon(1e-14));
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(found.gradient[i] == Approx(expected.gradient[i]).epsilon(1e-13).margin(1e-14));
            for (std::size_t j = 0; j < 5; ++j)
                CHECK(found.hessian[i][j] == Approx(expected.hessian[i][j]).epsilon(1e-12).margin(1e-13));
        }
    }
}

TEST_CASE("calls as written are those of the standard library") {
    constexpr auto function = [](const auto& q) { return std::array{exp(q[0]), exp(q[1]), exp(q[2]), exp(q[3])}; };
    const std::array<double, 4> at = {0.3, 1.7, -2.9, 11.1}, found = cr::function<4>(function)(at);
    for (std::size_t i = 0; i < 4; ++i) CHECK(found[i] == std::exp(at[i]));
}

TEST_CASE("constant evaluation of relaxed calls is that of the functions as written") {
    constexpr auto roots = [](const auto& q) { return exp(q[0]) + exp(q[1]) + exp(q[2]) * q[3]; };
    constexpr std::array<double, 4> at = {0.5, 0.25, -0.75, 2.0};
    constexpr double value = cr::function<4>(roots, cr::relaxed())(at), expected = cr::function<4>(roots)(at);
    static_assert(value - expected < 1e-15 && expected - value < 1e-15);
    CHECK(cr::function<4>(roots, cr::relaxed())(at) == Approx(value).epsilon(1e-15));
}
