// SPDX-License-Identifier: BSL-1.0
//
// Taylor coefficients of recordings: against those of kernels, against the same in long double, at kinks and edges, and
// what the calls refuse. replay_functions.hpp has those of every function.

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

struct softened_class : cr::custom_function<softened_class, 2> {
    static constexpr char name[] = "softened";
    template <class T>
    static constexpr T value(const T& x, const T& a) {
        return sqrt(x * x + a);
    }
    template <int K, class T>
    static constexpr auto derivative(const T& x, const T&, const T& r) {
        return K == 0 ? x / r : 0.5 / r;
    }
};
constexpr softened_class softened{};

// Every operation of recordings but comparisons.
constexpr auto mixed = [](const auto& x) {
    using std::log, std::exp, std::sin, std::cos, std::pow, std::tanh, std::sqrt, std::atan, std::max, std::abs;
    auto s = x[0] * x[1] - 3.0 / x[2];
    s = s + exp(-x[0]) * sin(s) / (x[1] + 2.0) - tanh(x[2] * x[0]);
    s = -s * sqrt(x[1] * x[1] + 1.0) + pow(x[0], x[1]) + pow(x[2], 3) + pow(x[1], 1.5);
    s = s + log(x[2]) * cos(x[0] * x[1]) + atan(s) + abs(x[0] - 4.0) + 1.0 / (1.0 + s * s);
    return s;
};
const std::array point{0.7, 1.3, 2.1};
const std::array along{0.5, -1.0, 0.25};

template <class T>
auto converted(const std::array<double, 3>& x) {
    return std::array{static_cast<T>(x[0]), static_cast<T>(x[1]), static_cast<T>(x[2])};
}

TEST_CASE("the Taylor coefficients of a recording are those of the kernel") {
    constexpr auto F = cr::function<3>(mixed);
    constexpr int order = 6;
    auto r = tape::record(mixed, std::array{1.0, 2.0, 3.0});
    const auto expected = F.taylor<order>(point, along);
    const auto found = r.taylor<order>(point, along);
    STATIC_REQUIRE(std::is_same_v<decltype(found), decltype(expected)>);
    CHECK(found[0] == r(point));
    for (std::size_t k = 0; k < expected.size(); ++k) {
        CAPTURE(k);
        CHECK(found[k] == Approx(expected[k]).epsilon(1e-12));
    }
    // Order 0 is the value alone.
    CHECK(r.taylor<0>(point, along) == std::array{r(point)});
}

TEST_CASE("the Taylor coefficients of a recording are those in long double") {
    auto r = tape::record(mixed, std::array{1.0, 2.0, 3.0});
    auto in_long_double = tape::record(mixed, std::array{1.0L, 2.0L, 3.0L});
    auto in_float = tape::record(mixed, std::array{1.0F, 2.0F, 3.0F});
    constexpr int order = 20;
    const std::vector<double> found = r.taylor(point, along, order);
    const std::vector<long double> exact =
        in_long_double.taylor(converted<long double>(point), converted<long double>(along), order);
    REQUIRE(found.size() == 21);
    double size = 1; // of a coefficient: those of higher orders grow with the inverse of the radius of convergence
    for (std::size_t k = 0; k <= order; ++k) {
        CAPTURE(k);
        size = std::max(size, std::abs(found[k]));
        CHECK(std::abs(found[k] - static_cast<double>(exact[k])) < 1e-13 * size);
    }
    const std::vector<float> rough = in_float.taylor(converted<float>(point), converted<float>(along), 4);
    for (std::size_t k = 0; k < rough.size(); ++k)
        CHECK(static_cast<double>(rough[k]) == Approx(found[k]).epsilon(1e-4).margin(1e-4));
    // In long double, the series sums up to the function nearby.
    for (const long double h : {0.05L, -0.05L}) {
        auto x = converted<long double>(point);
        for (std::size_t i = 0; i < 3; ++i) x[i] += h * static_cast<long double>(along[i]);
        long double sum = 0;
        for (std::size_t k = exact.size(); k-- > 0;) sum = sum * h + exact[k];
        CHECK(static_cast<double>(std::abs(sum - mixed(x))) < 1e-16);
    }
}

TEST_CASE("Taylor coefficients have known values") {
    const std::array one{1.0};
    const auto of = [&](auto f, double at, int order) {
        auto r = tape::record([&](const auto& x) { return f(x[0]); }, std::array{0.25});
        return r.taylor(std::array{at}, one, order);
    };
    CHECK(of([](auto x) { return x / (1.0 - x - x * x); }, 0, 8) == std::vector<double>{0, 1, 1, 2, 3, 5, 8, 13, 21});
    CHECK(of([](auto x) { return 1.0 / (1.0 - x); }, 0.5, 5) == std::vector<double>{2, 4, 8, 16, 32, 64});
    CHECK(of([](auto x) { return pow(x, 5) * 2.0; }, 0, 6) == std::vector<double>{0, 0, 0, 0, 0, 2, 0});
    const auto sine = of([](auto x) { return sin(x); }, 0, 60);
    double factorial = 1;
    for (std::size_t k = 1; k < 60; ++k) {
        factorial *= static_cast<double>(k);
        const double expected = k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / factorial;
        CHECK(sine[k] == Approx(expected).epsilon(1e-14).margin(0));
    }
    const auto tangent = of([](auto x) { return tan(x); }, 0, 7);
    CHECK(tangent[7] == Approx(17.0 / 315).epsilon(1e-15));
}

TEST_CASE("Taylor coefficients of choices and kinks take the arm of the point") {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto of = [&](auto f, double at) {
        auto r = tape::record([&](const auto& x) { return f(x[0]); }, std::array{0.25});
        return r.template taylor<3>(std::array{at}, std::array{1.0});
    };
    using expected = std::array<double, 4>;
    const auto arm = [](auto x) { return select(x <= 0.0, x * x, 1.0 / x); };
    CHECK(of(arm, 0.0) == expected{0, 0, 1, 0});
    CHECK(of(arm, 0.5) == expected{2, -4, 8, -16});
    CHECK(of([&](auto x) { return arm(x) * x * 2.0; }, 0.0) == expected{0, 0, 0, 2});
    CHECK(of([](auto x) { return abs(x) * x; }, -2.0) == expected{-4, 4, -1, 0});
    CHECK(of([](auto x) { return abs(x); }, 0.0) == expected{0, 0, 0, 0});
    CHECK(of([](auto x) { return relu(x) + 0.0 * x; }, -1.0) == expected{0, 0, 0, 0});
    CHECK(of([](auto x) { return max(x, 1.0 * x * x); }, 1.0) == expected{1, 1.5, 0.5, 0}); // one half each
    CHECK(of([](auto x) { return floor(x) * x; }, 2.5) == expected{5, 2, 0, 0});
    CHECK(of([](auto x) { return sqrt(x); }, 0.0)[1] == infinity);
    // A root that does not move has no infinite slope.
    auto r = tape::record([](const auto& x) { return sqrt(x[0]) + x[1] * x[1] * log(x[0]); }, std::array{1.0, 1.0});
    CHECK(r.taylor<2>(std::array{0.0, 0.0}, std::array{0.0, 1.0})[1] == 0);
    CHECK(tape::record([](const auto& x) { return sqrt(x[0]) + x[1] * x[1]; }, std::array{1.0, 1.0})
              .taylor<3>(std::array{0.0, 1.0}, std::array{0.0, 1.0}) == expected{1, 2, 1, 0});
}

TEST_CASE("Taylor coefficients of custom functions come from their formula") {
    auto r = tape::record([](const auto& x) { return softened(3.0 * x[0] + 1.0, x[1]) * x[0]; }, std::array{1.0, 2.0});
    auto written = tape::record(
        [](const auto& x) {
            const auto u = 3.0 * x[0] + 1.0;
            return sqrt(u * u + x[1]) * x[0];
        },
        std::array{1.0, 2.0});
    const std::array x{0.5, 0.75}, d{1.0, -0.5};
    const auto found = r.taylor<7>(x, d), expected = written.taylor<7>(x, d);
    for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k] == Approx(expected[k]).epsilon(1e-12).margin(1e-12));
}

TEST_CASE("Taylor coefficients of several values have a row each") {
    const auto polar = [](const auto& p) { return std::array{p[0] * cos(p[1]), p[0] * sin(p[1]), 0.0 * p[0] + 5.0}; };
    constexpr auto F = cr::function<2>(polar);
    auto r = tape::record(polar, std::array{1.0, 1.0});
    const std::array x{2.0, 0.5}, d{1.0, 3.0};
    const auto found = r.taylor<4>(x, d), expected = F.taylor<4>(x, d);
    STATIC_REQUIRE(std::is_same_v<decltype(found), decltype(expected)>);
    const tape::matrix<double> rows = r.taylor(x, d, 4);
    std::array<double, 15> memory{};
    r.taylor(x, d, memory);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k <= 4; ++k) {
            CHECK(found[i][k] == Approx(expected[i][k]).epsilon(1e-13));
            CHECK(rows(i, k) == found[i][k]);
            CHECK(memory[5 * i + k] == found[i][k]);
        }
    // Of a list of any length, a matrix.
    auto s = tape::record([](const auto& p) { return std::vector{p[0] * p[1], p[1]}; }, std::vector{1.0, 1.0});
    const tape::matrix<double> of_list = s.taylor<2>(std::vector{2.0, 3.0}, std::vector{1.0, 1.0});
    CHECK(of_list.rows() == 2);
    CHECK(of_list(0, 2) == 1);
    CHECK(of_list(1, 1) == 1);
}

TEST_CASE("Taylor coefficients need the comparisons of the recording") {
    const auto f = [](const auto& x) { return x[0] > 1.0 ? x[0] * x[0] : x[0] * 3.0; };
    auto r = tape::record(f, std::array{2.0});
    CHECK(r.taylor<2>(std::array{3.0}, std::array{1.0}) == std::array{9.0, 6.0, 1.0});
    CHECK_THROWS_AS(r.taylor<2>(std::array{0.0}, std::array{1.0}), tape::comparison_changed);
    auto copy = r;
    copy.record_when_changed();
    CHECK(copy.taylor<2>(std::array{0.5}, std::array{1.0}) == std::array{1.5, 3.0, 0.0});
    CHECK(r.taylor<2>(std::array{3.0}, std::array{1.0}) == std::array{9.0, 6.0, 1.0});
}

TEST_CASE("Taylor coefficients refuse wrong sizes in one sentence") {
    auto r = tape::record([](const auto& x) { return std::array{x[0], x[1]}; }, std::array{2.0, 1.0});
    const std::array x{1.0, 2.0};
    CHECK_THROWS_WITH(r.taylor(x, x, -1), "taylor: the order is -1; pass 0 or more");
    std::array<double, 3> memory{};
    CHECK_THROWS_WITH(r.taylor(x, x, memory),
                      "taylor: the recording has 2 values and room for 3 coefficients is given; give room for as many "
                      "of each value");
    CHECK_THROWS_WITH(r.taylor(x, std::vector{1.0}, 2),
                      "taylor: the point has 2 numbers and the direction 1; give as many of both");
    auto none = tape::record([](const auto& of) { return std::vector<std::remove_cvref_t<decltype(of[0])>>(); }, x);
    none.taylor(x, x, std::span<double>());
    CHECK_THROWS_WITH(none.taylor(x, x, memory),
                      "taylor: the recording has 0 values and room for 3 coefficients is given; give room for as many "
                      "of each value");
}

} // namespace
