// SPDX-License-Identifier: BSL-1.0
//
// Traced loops, value and gradient, against dual numbers. The constant factors of a long chain, multiplied out, would
// leave the range of numbers.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace {

namespace cr = chainrule;

template <class T, class Body, class F>
void check(const Body& body, const F& f, T x, T y, T k, double tolerance) {
    const auto [u, v, c] = cr::dual_variables(x, y, k);
    const auto expected = body(u, v, c);
    const auto result = f.value_and_gradient(x, y, k);
    CHECK(result.value == expected.value);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(std::abs(result.gradient[i] - expected.tangents[i]) <=
              tolerance * std::abs(static_cast<double>(expected.tangents[i])));
}

TEST_CASE("a pendulum in 120 steps") {
    constexpr auto body = [](auto x, auto y, auto k) {
        auto position = x;
        auto velocity = y;
        for (int i = 0; i < 120; ++i) {
            velocity = velocity - 0.01 * sin(position) * k;
            position = position + 0.01 * velocity;
        }
        return position;
    };
    constexpr auto f = cr::function(body);
    check(body, f, 0.3, 0.2, 1.1, 1e-13);
}

TEST_CASE("80 factors of one thousandth") {
    constexpr auto body = [](auto x, auto y, auto k) {
        auto p = x;
        for (int i = 0; i < 80; ++i) p = 0.0009765625 * p * y * (1 + k * p);
        return p;
    };
    constexpr auto f = cr::function(body);
    check(body, f, 0.3, 1026.0, 1.1e-3, 1e-13);
    check(body, f, 0.3f, 1026.0f, 1.1e-3f, 1e-4);
}

} // namespace
