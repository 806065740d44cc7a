// SPDX-License-Identifier: BSL-1.0
//
// Constants of derivatives that exceed floats, although those that were written do not: they scale in steps.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <array>

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
constexpr auto quotient = cr::function([](auto r) { return 1e30 / (r * 1e-30); });
// With the other term, the product with the constant is fused.
constexpr auto sum = cr::function([](auto r) {
    const auto s = r / 1e-20;
    return s * s - 1e20 * r;
});

} // namespace

TEST_CASE("constants beyond floats do not make derivatives of floats zero or infinite", "[kernel]") {
    CHECK_THAT(attraction.gradient(2e30f, 4e30f)[0], WithinRel(1.0110920e-30f, 1e-6f));
    CHECK_THAT(square_of_small.gradient(1e-20f)[0], WithinRel(2e20f, 1e-6f));
    CHECK_THAT(cube.gradient(1e23f)[0], WithinRel(7.895341e-23f, 1e-6f));
    CHECK_THAT(quotient.gradient(1e15f)[0], WithinRel(-1e30f, 1e-6f));
    CHECK_THAT(sum.gradient(1e-20f)[0], WithinRel(1e20f, 1e-6f));
    // Alone, such a constant is what it is.
    CHECK(attraction.hessian(2e30f, 4e30f)[0][1] == 0);
    CHECK(square_of_small.hessian(1e-20f)[0][0] == std::numeric_limits<float>::infinity());
}

TEST_CASE("scaling in steps has the bits of the product with the constant", "[kernel]") {
    const double x = 1.7320508075688772;
    CHECK(square_of_small.gradient(x)[0] == 2e40 * x);
    CHECK(square_of_small.gradient(x * 1e-100)[0] == 2e40 * (x * 1e-100));
}

TEST_CASE("constants that floats hold are one product", "[kernel]") {
    constexpr auto f = cr::function([](auto r) { return 0.25 * (1e10 * r) * (1e10 * r); });
    STATIC_REQUIRE(cr::operation_count<cr::request::jacobians>(f).total == 1);
    STATIC_REQUIRE(cr::operation_count<cr::request::jacobians>(square_of_small).total == 2);
}
