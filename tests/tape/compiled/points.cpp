// SPDX-License-Identifier: BSL-1.0
//
// Compiled recordings at many points: against the same at one point and against replays in lanes.

#include "tape/private_cache.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

namespace tape = chainrule::tape;

// Functions with lanes and without, a choice, and numbers that do not vary.
constexpr auto mixed = [](const auto& x) {
    using std::exp, std::sin, std::cos, std::log, std::max, std::sinh;
    return exp(-x[0]) * sin(x[1]) + cos(x[1]) / x[2] + max(x[0], x[1] * 0.5) * log(x[2]) + sinh(x[0] * x[2]) +
           0.0 * x[2];
};
tape::matrix<double> points_of(std::size_t count, std::size_t columns) {
    tape::matrix<double> points(count, columns);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < columns; ++j)
            points(i, j) = 0.25 + 0.125 * static_cast<double>(j) + 0.0625 * static_cast<double>(i % 11);
    return points;
}
bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// For counts that fill the lanes and that do not.
template <class K, class R>
void check_points(K& k, R& r, std::size_t columns, double tolerance) {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 40u}) {
        CAPTURE(count);
        const tape::matrix<double> points = points_of(count, columns), values = k(points),
                                   gradients = k.gradient(points);
        const auto both = k.value_and_gradient(points);
        REQUIRE(values.rows() == count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::vector<double> x(points.row(i).begin(), points.row(i).end());
            std::vector<double> gradient(columns);
            const double value = k.value_and_gradient(x, gradient);
            const auto agree = [&](double a, double b) {
                return tolerance == 0 ? same_bits(a, b) : std::abs(a - b) <= tolerance * (1 + std::abs(b));
            };
            CHECK(agree(values(i, 0), value));
            CHECK(agree(both.value[i], value));
            CHECK(both.value[i] == Approx(r(x)).epsilon(1e-12));
            for (std::size_t j = 0; j < columns; ++j) {
                CHECK(agree(both.gradient(i, j), gradient[j]));
                CHECK(gradients(i, j) == both.gradient(i, j));
            }
        }
    }
}

} // namespace

TEST_CASE("a compiled recording has its values and gradients at many points", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record(mixed, std::vector{1.0, 2.0, 3.0});
    auto options = cache.options();
    options.points = true;
    auto k = tape::compile(r, options);
    check_points(k, r, 3, 0); // without lanes
    options.flags = {"-O3", "-march=native", "-fno-math-errno"};
    auto in_lanes = tape::compile(r, options);
    check_points(in_lanes, r, 3, 1e-13);

    // Several values.
    const auto polar = [](const auto& p) { return std::array{p[0] * cos(p[1]), p[0] * sin(p[1])}; };
    auto several = tape::compile(tape::record(polar, std::array{1.0, 1.0}), options);
    const tape::matrix<double> points = points_of(13, 2), values = several(points);
    for (std::size_t i = 0; i < 13; ++i) {
        CHECK(values(i, 0) == Approx(points(i, 0) * std::cos(points(i, 1))).epsilon(1e-14));
        CHECK(values(i, 1) == Approx(points(i, 0) * std::sin(points(i, 1))).epsilon(1e-14));
    }
}

TEST_CASE("a long program is called at each of many points", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    const auto f = [](const auto& x) {
        auto s = x[0];
        for (int i = 0; i < 700; ++i) s = s * x[1] + x[0] / (s * s + 1.0);
        return s;
    };
    auto r = tape::record(f, std::vector{0.5, 0.25});
    auto options = cache.options();
    options.points = true;
    auto k = tape::compile(r, options);
    check_points(k, r, 2, 0);
}

TEST_CASE("code for many points finds where a comparison changes, and is compiled on request", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto r = tape::record([](const auto& x) { return x[0] < 1.0 ? x[0] * x[0] : x[0]; }, std::vector{0.5});
    auto options = cache.options();
    auto without = tape::compile(r, options);
    CHECK_THROWS_WITH(
        without(points_of(2, 1)),
        "compile: code for the rows of a matrix was not compiled; ask for it: compile(r, {.points = true})");
    options.points = true;
    auto k = tape::compile(r, options);
    tape::matrix<double> points = points_of(20, 1);
    CHECK(k.gradient(points)(3, 0) == 2 * points(3, 0));
    points(13, 0) = 2.5;
    try {
        (void)k(points);
        FAIL("no exception");
    } catch (const tape::comparison_changed& e) {
        CHECK(e.point == 13);
        CHECK(e.comparison == 1);
    }
    CHECK_THROWS_AS(k(points_of(4, 2)), std::invalid_argument);
}

TEST_CASE("compiled recordings without inputs or results take many points", "[tape]") {
    if (!compiles()) return;
    const private_cache cache;
    auto options = cache.options();
    options.points = true;
    const auto nothing = [](const auto& x) { return std::remove_cvref_t<decltype(x)>{}; };
    auto without_results = tape::compile(tape::record(nothing, std::vector{1.0}), options);
    CHECK(without_results(points_of(9, 1)).rows() == 9);
    const auto three = [](const auto& x) { return typename std::remove_cvref_t<decltype(x)>::value_type(3.0); };
    auto without_inputs = tape::compile(tape::record(three, std::vector<double>{}), options);
    const auto found = without_inputs.value_and_gradient(tape::matrix<double>(9, 0));
    CHECK(found.value == std::vector<double>(9, 3.0));
    CHECK(found.gradient.rows() == 9);
    CHECK(without_inputs(tape::matrix<double>(9, 0))(8, 0) == 3.0);
}
