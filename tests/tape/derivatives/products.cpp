// SPDX-License-Identifier: BSL-1.0
//
// Products with directions and weights of functions of one number.
#include "catch.hpp"

#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <concepts>
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
