// SPDX-License-Identifier: BSL-1.0
//
// Table look-ups: alike for every number type, and in recordings at places other than those that were recorded.
#include "catch.hpp"
#include "sentence.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace {

namespace tape = chainrule::tape;

const std::vector<double> plain{3.0, -1.0, 4.0, 1.5, 9.0};

/// A table of numbers that depend on the point, at a place in a plain table.
constexpr auto nested = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    const std::array<T, 4> table{x[0] * x[1], sin(x[0]), T(2.0), x[1]};
    return tape::look_up(table, tape::look_up(plain, x[2])) * x[0];
};
/// Linear interpolation.
constexpr auto interpolated = [](const auto& x) {
    using std::floor;
    using T = std::remove_cvref_t<decltype(x[0])>;
    const T cell = floor(x[0]);
    const T low = tape::look_up(plain, cell), high = tape::look_up(plain, T(cell + 1.0));
    return low + (x[0] - cell) * (high - low);
};

} // namespace

TEST_CASE("an element is looked up by its place", "[tape]") {
    CHECK(tape::look_up(plain, 0.0) == 3.0);
    CHECK(tape::look_up(plain, 0.999) == 3.0);
    CHECK(tape::look_up(plain, 3) == 1.5);
    CHECK(tape::look_up(plain, -7.0) == 3.0);
    CHECK(tape::look_up(plain, 400.0) == 9.0);
    CHECK(tape::look_up(plain, std::numeric_limits<double>::quiet_NaN()) == 9.0);
    CHECK(tape::look_up(std::array{2}, 5.0) == 2);
    CHECK(sentence_of([] { (void)tape::look_up(std::vector<double>{}, 1.0); }) ==
          "look_up: the table has no elements; give at least one");

    tape::tape t;
    const auto x = t.variable(2.0);
    const std::vector<tape::active<double>> table{x, x * x, exp(x)};
    t.backward(tape::look_up(table, x / 2.0));
    CHECK(x.gradient() == 4.0);
    STATIC_REQUIRE(std::same_as<decltype(tape::look_up(plain, x)), tape::active<double>>);
    CHECK(tape::jvp(interpolated, std::vector{2.5}, std::vector{1.0}) == -2.5);
}

TEST_CASE("a recording looks up elements at other places", "[tape]") {
    auto r = tape::record(nested, std::vector{0.5, 2.0, 1.0});
    CHECK(r.comparisons() == 0);
    for (const double place :
         {-1.0, 0.0, 0.5, 1.0, 2.0, 2.75, 3.0, 4.0, 77.0, std::numeric_limits<double>::quiet_NaN()}) {
        const std::vector x{0.75, 1.25, place};
        CHECK(r(x) == nested(x));
        CHECK(r.gradient(x) == tape::gradient(nested, x));
    }
    tape::matrix<double> points(37, 3);
    for (std::size_t i = 0; i < 37; ++i) {
        points(i, 0) = 0.5;
        points(i, 1) = 1.5;
        points(i, 2) = 0.15 * static_cast<double>(i) - 0.5;
    }
    const auto all = r.value_and_gradient(points);
    for (std::size_t i = 0; i < 37; ++i) {
        CHECK(all.value[i] == Approx(nested(points.row(i))).epsilon(1e-14));
        CHECK(all.gradient(i, 0) == Approx(tape::gradient(nested, points.row(i))[0]).epsilon(1e-14));
    }

    auto line = tape::record(interpolated, std::vector{0.5});
    for (const double x : {0.25, 1.5, 2.5, 3.75, 3.0}) {
        CHECK(line(std::vector{x}) == interpolated(std::vector{x}));
        CHECK(line.gradient(std::vector{x}) == tape::gradient(interpolated, std::vector{x}));
    }
}
