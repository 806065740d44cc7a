// SPDX-License-Identifier: BSL-1.0
//
// Values that are exact on paper and not as written, such as (x / y) * y and (u + t) - t: derivatives that have the
// same terms or factors are not computed from them. And coefficients of derivatives that overflow on the way.
#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace cr = chainrule;

TEST_CASE("a sum that lost its digits is not part of a derivative", "[values that cancel]") {
    const auto rounding = cr::function([](auto a, auto b, auto c, auto d, auto e) {
        const auto rounded = ((a + b + c + d + e) + 0x1.8p52) - 0x1.8p52;
        return 0.001 * rounded * rounded + a * b + a * c + a * d + a * e + a * a / 2;
    });
    // 0.002 * 2 + b + c + d + e + a, and not 2.
    CHECK(rounding.value_and_gradient(0.21, 0.32, 0.43, 0.54, 0.65).gradient[0] == Approx(0.004 + 2.15));
    const auto two = cr::function([](auto a, auto b, auto c, auto d, auto e, auto t) {
        return std::array{sin((a + b + c + d + e + t) - t), a * b + a * c + a * d + a * e + a * a / 2};
    });
    CHECK(two.jacobian(0.21, 0.32, 0.43, 0.54, 0.65, 1e20)[1][0] == Approx(2.15));
    const auto with_zero = cr::function([](auto x, auto a, auto b, auto c, auto d, auto e) {
        auto sum = 0.0 * x;
        sum += a, sum += b, sum += c, sum += d, sum += e;
        return std::array{sin(sum), a * b + a * c + a * d + a * e + a * a / 2};
    });
    CHECK(with_zero.jacobian(std::numeric_limits<double>::infinity(), 2.0, 3.0, 4.0, 5.0, 6.0)[1][1] == 20.0);
    // Like terms of one sign are collected, and the sum is reused all the same.
    const auto doubled = cr::function([](auto a, auto b, auto c, auto d, auto e) {
        const auto sum = a + b + c + d + e + a;
        return sum * sum * sum;
    });
    CHECK(doubled.gradient(1.0, 2.0, 3.0, 4.0, 5.0)[0] == Approx(6 * 16.0 * 16.0));
}

TEST_CASE("a value of an arm that is not taken is not part of a derivative", "[values that cancel]") {
    const auto f = cr::function([](auto x, auto y, auto b, auto c, auto d, auto e) {
        const auto inner = (x / y) * y + b + c + d + e;
        return select(y == 0, x * b + x * c + x * d + x * e + x * x / 2, sin(inner));
    });
    CHECK(f(2.0, 0.0, 3.0, 4.0, 5.0, 6.0) == 38.0);
    CHECK(f.gradient(2.0, 0.0, 3.0, 4.0, 5.0, 6.0)[0] == 20.0);
}

TEST_CASE("a product in which factors cancel does not reach another output", "[values that cancel]") {
    const auto quotient = cr::function([](auto x, auto y, auto z) { return std::array{(x * z / y) * y, x * x * z}; });
    CHECK(quotient.value_and_jacobian(2.0, 0.0, 3.0).jacobian[1][0] == 12.0);
    CHECK(quotient.jacobian(2.0, 0.0, 3.0)[1][0] == 12.0);
    const auto overflow = cr::function([](auto x, auto y, auto z) { return std::array{x * y * z / y, x * x * z}; });
    CHECK(overflow.jacobian(2.0, 1e308, 3.0)[1][0] == 12.0);
    const auto negated =
        cr::function([](auto x, auto y, auto z) { return std::array{-((x * z / y) * y) * x, x * x * z * sin(x)}; });
    CHECK(negated.jacobian(2.0, 0.0, 3.0)[1][0] == Approx(3 * (4 * std::sin(2.0) + 4 * std::cos(2.0))));
    const auto roots = cr::function([](auto x, auto y, auto z) {
        return std::array{sqrt(x) * sqrt(x) * sqrt(x) * sqrt(x) * y * z, x * y * y * z};
    });
    CHECK(roots.jacobian(-2.0, 1.0, 3.0)[1][1] == -12.0);
}

TEST_CASE("a bell curve is not computed from one whose argument lost its digits", "[values that cancel]") {
    const auto f = cr::function(
        [](auto u, auto t, auto w) { return std::array{cr::normal_cdf((u + t) - t), cr::normal_cdf(u), log(w)}; });
    CHECK(f.value_and_jacobian(0.5, 1e20, 2.0).jacobian[1][0] == Approx(0.3520653267642995));
    const auto of_zero = cr::function(
        [](auto u, auto t, auto w) { return std::array{cr::normal_cdf(u + 0.0 * t), cr::normal_cdf(u), log(w)}; });
    CHECK(of_zero.jacobian(0.5, std::numeric_limits<double>::infinity(), 2.0)[1][0] == Approx(0.3520653267642995));
}
