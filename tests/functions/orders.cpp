// SPDX-License-Identifier: BSL-1.0
//
// Functions of an order: which integer an order counts as, and arguments outside the domain, where a value is NaN and
// nothing throws.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/special_functions.hpp>

#include <cmath>
#include <limits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("an order counts as the integer below, and so do those of the derivatives", "[functions]") {
    const auto second = [](const auto& f) { return cr::function(f, cr::wrt(x)).hessian(1.2)[0][0]; };
    for (const double order : {0.5, 1.5, 2.5}) {
        CAPTURE(order);
        CHECK(second(jn(order, x)) == second(jn(std::floor(order), x)));
        CHECK(second(yn(order, x)) == second(yn(std::floor(order), x)));
    }
    // J1'' = (J3 - 3 J1) / 4
    CHECK(second(jn(1.5, x)) == Approx((std::cyl_bessel_j(3, 1.2) - 3 * std::cyl_bessel_j(1, 1.2)) / 4));
}

TEST_CASE("orders and arguments outside the domain give NaN", "[functions]") {
    const auto is_nan = [](const auto& f, double at) {
        const auto [value, gradient, hessian] = cr::function(f, cr::wrt(x)).value_gradient_and_hessian(at);
        return std::isnan(value) && std::isnan(gradient[0]) && std::isnan(hessian[0][0]);
    };
    for (const double at : {-infinity, -1e300, -1e160}) {
        CAPTURE(at);
        CHECK(is_nan(digamma(x), at));
        CHECK(is_nan(trigamma(x), at));
        CHECK(is_nan(polygamma(3_c, x), at));
    }
    for (const double order : {-infinity, -1e10, 1e10, infinity}) {
        CAPTURE(order);
        CHECK(is_nan(jn(order, x), 1.0));
        CHECK(is_nan(yn(order, x), 1.0));
        CHECK(is_nan(polygamma(order, x), 1.0));
    }
}

TEST_CASE("the second derivative of gamma_p by a small shape", "[functions]") {
    // From 40 digits of mpmath. At shape 1e-8 the terms of a sum cancelled to three digits.
    const auto F = cr::function([](auto a, auto u) { return gamma_p(a, u); });
    CHECK(F.hessian(1e-8, 0.3)[0][0] == Approx(-0.32402055136380169).epsilon(1e-9));
    CHECK(F.hessian(1e-8, 0.999999999999)[0][0] == Approx(-0.44895007847436887).epsilon(1e-9));
    CHECK(F.hessian(1e-8, 2.5)[0][0] == Approx(-0.08692158811415029).epsilon(1e-9));
}

TEST_CASE("derivatives of gamma_p by a large shape", "[functions]") {
    // From 40 digits of mpmath. The series and the continued fraction ended after too few terms.
    const auto F = cr::function([](auto a, auto u) { return gamma_p(a, u); });
    CHECK(F.gradient(3e6, 2998267.9491924311)[0] == Approx(-0.00013971530834044).epsilon(1e-12));
    CHECK(F.gradient(3e6, 3000173.2050807569)[0] == Approx(-0.00022917409498881).epsilon(1e-12));
    CHECK(F.hessian(3e6, 3001732.0508075689)[0][0] == Approx(-8.06258782447979e-08).epsilon(1e-11));
    CHECK(F.gradient(1e8, 99990000.0)[0] == Approx(-2.41974757498964e-05).epsilon(1e-12));
    CHECK(F.gradient(1e8, 1e8)[0] == Approx(-3.98942280733885e-05).epsilon(1e-12));
    CHECK(std::isnan(F.gradient(1e15, 1e15)[0])); // too many terms
    CHECK(F.gradient(1e15, 5.0)[0] == 0);
}

TEST_CASE("spherical Bessel functions of high orders at arguments about as large", "[functions]") {
    // From 50 digits of mpmath. The terms of a series cancelled: in float to no digit.
    CHECK(cr::functions::spherical_jn::value(50.0, 50.0) == Approx(0.01882910736928261708).epsilon(1e-14));
    CHECK(cr::functions::spherical_jn::value(50.0f, 50.0f) == Approx(0.01882910736928261708).epsilon(1e-5));
    CHECK(cr::functions::spherical_jn::value(99.0, -99.0) == Approx(-0.01096791768182438666).epsilon(1e-13));
    CHECK(cr::functions::spherical_jn::value(100.0, 20.5) == Approx(3.9488112648039265e-59).epsilon(1e-13));
    CHECK(cr::function(spherical_jn(100, x), cr::wrt(x)).gradient(100.0)[0] ==
          Approx(0.0022873004350092253287).epsilon(1e-12));
}

TEST_CASE("Bessel functions of the second kind at 0, and of odd negative orders", "[functions]") {
    for (const double order : {0.0, 1.0, 2.0, -2.0}) CHECK(cr::yn(order, 0.0) == -infinity);
    CHECK(cr::y1(0.0) == -infinity); // it was NaN
    CHECK(cr::y1(0.0f) == -std::numeric_limits<float>::infinity());
    CHECK(cr::yn(-3.0, 0.0) == infinity);
    CHECK(cr::yn(-3.0, 1e-300) == infinity); // it was -infinity
    CHECK(cr::yn(-3.0, 2.0) == -cr::yn(3.0, 2.0));
    CHECK(std::isnan(cr::yn(1.0, -1.0)));
}

TEST_CASE("values at infinity, which Boost.Math has not", "[functions]") {
    for (const double end : {infinity, -infinity}) {
        CHECK(cr::j0(end) == 0);
        CHECK(cr::j1(end) == 0);
        CHECK(cr::jn(3.0, end) == 0);
    }
    CHECK(cr::y0(infinity) == 0);
    CHECK(cr::y1(infinity) == 0);
    CHECK(cr::yn(3.0, infinity) == 0);
    CHECK(std::isnan(cr::y0(-infinity)));
    CHECK(cr::gamma_density(2.0, infinity) == 0);
    CHECK(std::isnan(cr::lambert_w0(-infinity))); // it was infinity
    // So has the derivative of gamma_p its limit.
    const auto F = cr::function([](auto a, auto u) { return gamma_p(a, u); });
    CHECK(F(2.0, infinity) == 1);
    CHECK(F.gradient(2.0, infinity)[1] == 0);
}
