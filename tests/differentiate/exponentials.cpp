// SPDX-License-Identifier: BSL-1.0
//
// The greeks of an option, whose two bell curves are one call: against the formulas of the books in long double.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/special_functions.hpp>

#include <array>
#include <cmath>
#include <random>

namespace cr = chainrule;

namespace {

constexpr auto price = cr::function([](auto spot, auto strike, auto rate, auto sigma, auto time) {
    const auto spread = sigma * sqrt(time);
    const auto d1 = (log(spot / strike) + (rate + 0.5 * sigma * sigma) * time) / spread;
    return spot * cr::normal_cdf(d1) - strike * exp(-rate * time) * cr::normal_cdf(d1 - spread);
});

long double phi(long double x) { return std::exp(-x * x / 2) * 0.398942280401432677939946L; }
long double cdf(long double x) { return std::erfc(-x * 0.707106781186547524400844L) / 2; }

} // namespace

TEST_CASE("the greeks of an option keep their digits") {
    std::mt19937_64 random(7);
    const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    for (int i = 0; i < 2000; ++i) {
        const std::array<double, 5> at = {between(20, 400), between(20, 400), between(-0.1, 0.3), between(0.05, 1.5),
                                          between(0.05, 8)};
        const long double spot = at[0], strike = at[1], rate = at[2], sigma = at[3], time = at[4];
        const long double spread = sigma * std::sqrt(time);
        const long double d1 = (std::log(spot / strike) + (rate + sigma * sigma / 2) * time) / spread, d2 = d1 - spread;
        const long double paid = strike * std::exp(-rate * time);
        const std::array<long double, 5> expected = {
            cdf(d1), -paid * cdf(d2) / strike, time * paid * cdf(d2), spot * phi(d1) * std::sqrt(time),
            spot * phi(d1) * sigma / (2 * std::sqrt(time)) + rate * paid * cdf(d2)};

        const auto [value, gradient] = price.value_and_gradient(at);
        // A relative error of d moves a curve by d^2 times as much, and each d is a difference of larger numbers.
        const long double terms =
            (std::abs(std::log(spot / strike)) + (std::abs(rate) + sigma * sigma) * time) / spread;
        const long double bound = 4e-16L * (8 + (1 + std::abs(d1) + std::abs(d2)) * (1 + terms + spread));
        INFO(i << ": " << at[0] << ' ' << at[1] << ' ' << at[2] << ' ' << at[3] << ' ' << at[4]);
        for (std::size_t k = 0; k < 5; ++k) {
            const long double size =
                k == 4 ? spot * phi(d1) * sigma / (2 * std::sqrt(time)) + std::abs(rate) * paid * cdf(d2)
                       : std::abs(expected[k]);
            CHECK(std::abs(gradient[k] - expected[k]) <= bound * size + 1e-300L);
        }
    }
}

TEST_CASE("the greeks of an option without spread are those of its limit") {
    const auto [value, gradient] = price.value_and_gradient(120.0, 100.0, 0.0, 0.0, 1.0);
    CHECK(value == 20.0);
    CHECK(gradient[0] == 1.0);
    CHECK(gradient[1] == -1.0);
    CHECK(gradient[3] == 0.0);
}

TEST_CASE("second derivatives agree where the curves are one") {
    const auto [value, gradient, hessian] = price.value_gradient_and_hessian(100.0, 105.0, 0.03, 0.25, 0.75);
    const double width = 0.25 * std::sqrt(0.75);
    const double d1 = (std::log(100.0 / 105.0) + (0.03 + 0.5 * 0.0625) * 0.75) / width;
    const double density = static_cast<double>(phi(d1));
    CHECK(hessian[0][0] == Approx(density / (100.0 * width)).epsilon(1e-12));      // gamma
    CHECK(hessian[0][3] == Approx(-density * (d1 - width) / 0.25).epsilon(1e-12)); // vanna
    CHECK(hessian[3][3] ==
          Approx(100.0 * density * std::sqrt(0.75) * d1 * (d1 - width) / 0.25).epsilon(1e-12)); // volga
}
