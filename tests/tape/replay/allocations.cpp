// SPDX-License-Identifier: BSL-1.0
//
// Replay keeps its memory: a call that has been made before, with results in memory of the caller, allocates nothing.
#include "catch.hpp"
#include "tensor/allocations.hpp"

#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace {

namespace tape = chainrule::tape;

constexpr std::size_t size = 40;

/// Runs of one operation, single ones, choices, a comparison and results that only the comparison needs.
constexpr auto mixed = [](const auto& x) {
    using std::exp, std::max, std::sin;
    using T = std::remove_cvref_t<decltype(x[0])>;
    T sum = 0.0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += exp(-x[i] * x[i]) * sin(x[i + 1]) / (2.0 + x[i]);
    for (std::size_t i = 0; i < x.size(); ++i) sum += max(x[i], 0.5) * 0.25;
    if (exp(x[0]) > 0.0) sum = sum * x[3];
    return sum;
};
constexpr auto several = [](const auto& x) {
    using T = std::remove_cvref_t<decltype(x[0])>;
    return std::array<T, 3>{mixed(x), x[0] * x[1], x[2] - 1.0};
};
std::vector<double> point_of(double from) {
    std::vector<double> x;
    for (std::size_t i = 0; i < size; ++i) x.push_back(from + 0.03 * static_cast<double>(i));
    return x;
}

/// How many allocations a call at a point makes, after the first.
template <class Call>
std::size_t allocations_of(Call call) {
    const std::vector<double> points[] = {point_of(0.1), point_of(0.3), point_of(-0.6)};
    call(points[0]);
    const std::size_t before = counted::allocations;
    for (const auto& x : points) call(x);
    return counted::allocations - before;
}

} // namespace

TEST_CASE("repeated replays allocate nothing", "[tape]") {
    CHECK(allocations_of([](const auto& x) { (void)std::vector(x); }) == 3); // they are counted

    auto one = tape::record(mixed, point_of(0.0));
    std::vector<double> to(size), other(size);
    const std::vector<double> d = point_of(1.0);
    double value = 0;
    CHECK(allocations_of([&](const auto& x) { value += one(x); }) == 0);
    CHECK(allocations_of([&](const auto& x) { value += one.value_and_gradient(x, to); }) == 0);
    CHECK(allocations_of([&](const auto& x) { one.taylor(x, d, to); }) == 0);
    CHECK(allocations_of([&](const auto& x) { one.gradient(x, to); }) == 0);
    CHECK(allocations_of([&](const auto& x) { one.hvp(x, d, to); }) == 0);
    std::vector<double> second(size * size);
    CHECK(allocations_of([&](const auto& x) { value += one.hessian(x, to, second); }) == 0);
    CHECK(allocations_of([&](const auto& x) { one.vjp(x, std::array{2.0}, to); }) == 0);
    CHECK(allocations_of([&](const auto& x) { one.jvp(x, d, std::span(other).first(1)); }) == 0);
    CHECK(value != 0.0);

    auto three = tape::record(several, point_of(0.0));
    std::vector<double> rows(3 * size);
    CHECK(allocations_of([&](const auto& x) { three.values(x, std::span(rows).first(3)); }) == 0);
    CHECK(allocations_of([&](const auto& x) { three.jacobian(x, rows); }) == 0);
    CHECK(allocations_of([&](const auto& x) { three.vjp(x, std::array{1.0, 2.0, 3.0}, to); }) == 0);
    CHECK(allocations_of([&](const auto& x) { three.jvp(x, d, std::span(other).first(3)); }) == 0);

    // Results in arrays.
    auto array = tape::record(mixed, std::array{0.1, 0.2, 0.3, 0.4});
    const std::array at{0.4, 0.3, 0.2, 0.1};
    (void)array.gradient(at);
    const std::size_t before = counted::allocations;
    const std::array gradient = array.gradient(at);
    CHECK(counted::allocations == before);
    CHECK(gradient[0] != 0.0);

    // A copy has memory of its own, and points in lanes allocate their results alone.
    auto copy = one;
    CHECK(allocations_of([&](const auto& x) { copy.gradient(x, to); }) == 0);
    const tape::matrix<double> points(17, size);
    (void)one.gradient(points);
    const std::size_t before_lanes = counted::allocations;
    (void)one.gradient(points);
    CHECK(counted::allocations - before_lanes == 2);
}
