// SPDX-License-Identifier: BSL-1.0
//
// Products with directions and weights of functions of one number.
#include "catch.hpp"

#include <chainrule/tape.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <span>
#include <vector>

namespace {

namespace tape = chainrule::tape;

constexpr auto wave = [](const auto& t) { return t * sin(t); };
constexpr auto curve = [](const auto& t) { return std::array<std::remove_cvref_t<decltype(t)>, 2>{t * t, 1 / t}; };

} // namespace

TEST_CASE("products of a function of one number are numbers", "[products]") {
    const double slope = std::sin(2.0) + 2.0 * std::cos(2.0), curvature = 2.0 * std::cos(2.0) - 2.0 * std::sin(2.0);
    static_assert(std::same_as<decltype(tape::jvp(wave, 2.0, 1.5)), double>);
    CHECK(tape::jvp(wave, 2.0, 1.5) == Approx(1.5 * slope));
    CHECK(tape::vjp(wave, 2.0, 1.5) == Approx(1.5 * slope));
    CHECK(tape::hvp(wave, 2.0, 1.5) == Approx(1.5 * curvature));
    CHECK(tape::value_and_jvp(wave, 2.0, 1.5).value == Approx(2.0 * std::sin(2.0)));
    CHECK(tape::value_and_vjp(wave, 2.0, 1.5).value == Approx(2.0 * std::sin(2.0)));
    const auto all = tape::value_gradient_and_hvp(wave, 2.0, 1.5);
    CHECK(all.value == Approx(2.0 * std::sin(2.0)));
    CHECK(all.gradient == Approx(slope));
    CHECK(all.product == Approx(1.5 * curvature));

    // Integers count as doubles, and a direction may be a list of one.
    static_assert(std::same_as<decltype(tape::jvp(wave, 2, 1)), double>);
    CHECK(tape::jvp(wave, 2, 1) == Approx(slope));
    CHECK(tape::jvp(wave, 2.0, std::vector{1.5}) == Approx(1.5 * slope));
    static_assert(std::same_as<decltype(tape::hvp(wave, 2.0f, 1.0f)), float>);
}

TEST_CASE("a function of one number may return several", "[products]") {
    CHECK(tape::jvp(curve, 2.0, 3.0) == std::array{12.0, -0.75});
    CHECK(tape::value_and_jvp(curve, 2.0, 3.0).value == std::array{4.0, 0.5});
    CHECK(tape::vjp(curve, 2.0, std::array{10.0, 100.0}) == 15.0);
}

TEST_CASE("several directions and weights are the rows of a matrix for a function of one number too", "[products]") {
    tape::matrix<double> directions(3, 1), weights(2, 2);
    for (std::size_t i = 0; i < 3; ++i) directions(i, 0) = static_cast<double>(i);
    weights(0, 0) = weights(1, 1) = 1.0;
    const auto products = tape::jvp(curve, 2.0, directions);
    CHECK(products.rows() == 3);
    CHECK(products(2, 0) == 8.0);
    CHECK(products(2, 1) == -0.5);
    const auto weighted = tape::vjp(curve, 2.0, weights);
    CHECK(weighted(0, 0) == 4.0);
    CHECK(weighted(1, 0) == -0.25);
    CHECK(tape::hvp([](const auto& t) { return t * t * t; }, 2.0, directions)(2, 0) == 24.0);
}

TEST_CASE("derivatives of products at one number", "[products]") {
    // d/dt of the slope, by reverse over forward.
    const auto slope = [](const auto& t) { return tape::jvp(wave, t, std::remove_cvref_t<decltype(t)>(1.0)); };
    CHECK(tape::gradient(slope, 2.0)[0] == Approx(2.0 * std::cos(2.0) - 2.0 * std::sin(2.0)));
}

TEST_CASE("products of many directions may be written over the point and the directions", "[products]") {
    constexpr std::size_t size = 3, rows = 21; // of several parts
    const auto f = [](const auto& x) { return x[0] * x[1] * x[2] + sin(x[0]) * x[2]; };
    const auto g = [](const auto& x) {
        return std::vector<std::remove_cvref_t<decltype(x[0])>>{x[0] * x[1], sin(x[2]), x[0] * x[2], x[1] * x[1],
                                                                x[0] - x[2]};
    };
    tape::matrix<double> directions(rows, size), weights(rows, 5);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < size; ++j) directions(i, j) = static_cast<double>(i) - 0.5 * static_cast<double>(j);
        for (std::size_t j = 0; j < 5; ++j) weights(i, j) = static_cast<double>(j) - 0.25 * static_cast<double>(i);
    }
    const std::vector<double> point{0.5, 2.0, -1.0};
    const auto numbers = [](const tape::matrix<double>& m) {
        return std::vector<double>(m.data(), m.data() + m.rows() * m.columns());
    };
    const auto second = numbers(tape::hvp(f, point, directions)), first = numbers(tape::jvp(g, point, directions)),
               weighted = numbers(tape::vjp(g, point, weights));
    { // The point is at the end of what is written.
        std::vector<double> to(rows * size);
        const std::span<double> x = std::span(to).last(size);
        std::copy(point.begin(), point.end(), x.begin());
        tape::hvp(f, x, directions, to);
        CHECK(to == second);
    }
    {
        std::vector<double> to(rows * 5);
        const std::span<double> x = std::span(to).first(size);
        std::copy(point.begin(), point.end(), x.begin());
        tape::jvp(g, x, directions, to);
        CHECK(to == first);
    }
    {
        tape::matrix<double> along = directions;
        tape::hvp(f, point, along, std::span<double>(along.data(), rows * size));
        CHECK(numbers(along) == second);
        tape::matrix<double> some = weights;
        tape::vjp(g, point, some, std::span<double>(some.data() + 1, rows * size));
        CHECK(std::vector<double>(some.data() + 1, some.data() + 1 + rows * size) == weighted);
    }
}
