// SPDX-License-Identifier: BSL-1.0
//
// Products of constants that exceed the numbers, although those that were written and the derivatives do not.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace {

namespace cr = chainrule;
using Catch::Matchers::WithinRel;

constexpr auto attraction = cr::function([](auto m, auto n) { return (m / 1.989e30) * (n / 1.989e30); });
constexpr auto square_of_small = cr::function([](auto r) {
    const auto s = r / 1e-20;
    return s * s;
});
constexpr auto cube = cr::function([](auto t) {
    const auto e = t * 1.380649e-23;
    return e * e * e;
});
constexpr auto quotient = cr::function([](auto r) { return 1e20 / (r * 1e-30); });
// With the other term, the product with the constant is fused.
constexpr auto sum = cr::function([](auto r) {
    const auto s = r / 1e-20;
    return s * s - 1e20 * r;
});

} // namespace

TEST_CASE("constants whose product exceeds floats are not multiplied", "[kernel]") {
    CHECK_THAT(attraction.gradient(2e30f, 4e30f)[0], WithinRel(1.0110920e-30f, 1e-6f));
    CHECK_THAT(square_of_small.gradient(1e-20f)[0], WithinRel(2e20f, 1e-6f));
    CHECK_THAT(cube.gradient(1e23f)[0], WithinRel(7.895341e-23f, 1e-6f));
    CHECK_THAT(quotient.gradient(1e30f)[0], WithinRel(-1e-10f, 1e-6f));
    CHECK_THAT(sum.gradient(1e-20f)[0], WithinRel(1e20f, 1e-6f));
    // What is too small or too large is 0 or infinite.
    CHECK(attraction.hessian(2e30f, 4e30f)[0][1] == 0);
    CHECK(square_of_small.hessian(1e-20f)[0][0] == std::numeric_limits<float>::infinity());
}

TEST_CASE("nor are those whose product exceeds doubles", "[kernel]") {
    constexpr auto small = cr::function([](auto x) {
        const auto a = 1e-200 * x;
        return a * a * sin(x * 1e-200);
    });
    CHECK_THAT(small.gradient(1e200)[0], WithinRel((2 * std::sin(1.0) + std::cos(1.0)) * 1e-200, 1e-14));
    constexpr auto large = cr::function([](auto x, auto y) { return 1e200 * x * (1e200 * y) + y; });
    CHECK_THAT(large.gradient(1e-200, 1e-250)[1], WithinRel(1e200, 1e-14));
    CHECK(large.hessian(1e-200, 1e-250)[0][1] == std::numeric_limits<double>::infinity());
}

TEST_CASE("nor those whose product long double holds", "[kernel]") {
    using namespace cr::literals;
    constexpr auto x = cr::variable<"x">;
    constexpr auto small = cr::function(sin(x) * 1e-200_c * 1e-200_c, cr::wrt(x));
    const long double slope = std::cos(1.0L);
    CHECK(std::abs(small.gradient(1.0L)[0] / (slope * 1e-200L * 1e-200L) - 1) < 1e-15L);
    CHECK(std::abs(small.hessian(1.0L)[0][0] / (std::sin(1.0L) * 1e-200L * 1e-200L) + 1) < 1e-15L);
}

TEST_CASE("integers of 64 bits keep their digits in traced code", "[kernel]") {
    constexpr auto odd = cr::function([](auto u) { return u * 9007199254740993LL; }); // 2^53 + 1
    CHECK(odd(1.0L) == 9007199254740993.0L);
}

TEST_CASE("products with large and small constants are shared", "[kernel]") {
    constexpr auto all = cr::request::values | cr::request::jacobians;
    STATIC_REQUIRE(cr::operation_count<all>(square_of_small).total == 3); // s = r / 1e-20, s * s, 2e20 * s
    STATIC_REQUIRE(cr::operation_count<all>(attraction).total == 5);
}
