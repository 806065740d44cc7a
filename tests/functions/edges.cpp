// SPDX-License-Identifier: BSL-1.0
//
// The documented edges: values and derivatives where a function is not smooth, not finite or not defined. Everything is
// checked in all three ways of asking: positional, by name, and as an expression.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>

#include <cmath>
#include <limits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// df/dx at a point; all ways to compute it must agree.
template <class E>
double by_x(const E& f, double at) {
    const double d = cr::function(f, cr::wrt(x)).gradient(at)[0];
    const double keyed = cr::gradient(f)(x = at)[x];
    const double with_value = cr::function(f, cr::wrt(x)).value_and_gradient(at).gradient[0];
    const double raised = cr::function(cr::derivative(f, x), cr::wrt(x))(at);
    CAPTURE(d, keyed, with_value, raised);
    CHECK((d == keyed || (std::isnan(d) && std::isnan(keyed))));
    CHECK((d == with_value || (std::isnan(d) && std::isnan(with_value))));
    CHECK((d == raised || (std::isnan(d) && std::isnan(raised))));
    return d;
}
template <class E>
double by_xx(const E& f, double at) {
    return cr::function(f, cr::wrt(x)).hessian(at)[0][0];
}

} // namespace

TEST_CASE("the square root at 0", "[edges]") {
    CHECK(sqrt(x)(x = 0.0) == 0);
    CHECK(by_x(sqrt(x), 0) == infinity);
    CHECK(by_x(sqrt(x), -0.0) == 1 / (2 * std::sqrt(-0.0))); // -infinity: the quotient as in plain C++
    CHECK(by_x(sqrt(3_c * x), 0) == infinity);
    CHECK(by_x(pow(x, 0.5_c), 0) == infinity);
    CHECK(by_xx(sqrt(x), 0) == -infinity);
    CHECK(std::isnan(by_x(sqrt(x), -1)));
}

TEST_CASE("powers at 0, by their limits", "[edges]") {
    SECTION("a stored exponent") {
        CHECK(by_x(pow(x, 3.0), 0) == 0);
        CHECK(by_x(pow(x, 2.0), 0) == 0);
        CHECK(by_x(pow(x, 1.5), 0) == 0);
        CHECK(by_x(pow(x, 1.0), 0) == 1);
        CHECK(by_x(pow(x, 0.5), 0) == infinity);
        CHECK(by_x(pow(x, 0.1), 0) == infinity);
        CHECK(by_x(pow(x, 3), 0) == 0);
        CHECK(by_x(pow(x, 1), 0) == 1);
        CHECK(by_xx(pow(x, 3.0), 0) == 0);
        CHECK(by_xx(pow(x, 2.0), 0) == 2);
    }
    SECTION("an exact exponent") {
        CHECK(by_x(pow(x, 0_c), 0) == 0);
        CHECK(by_x(pow(x, 1_c), 0) == 1);
        CHECK(by_x(pow(x, 2_c), 0) == 0);
        CHECK(by_x(pow(x, 1.5_c), 0) == 0);
        CHECK(by_x(pow(x, 0.5_c), 0) == infinity);
        CHECK(by_x(pow(x, 0.25_c), 0) == infinity);
        CHECK(by_x(pow(x, 14_c), 0) == 0);
        CHECK(by_x(pow(x, 26_c), 0) == 0);
        CHECK(by_x(pow(x, 64_c), 0) == 0);
        CHECK(by_x(pow(x, 65_c), 0) == 0);
        CHECK(by_xx(pow(x, 1_c), 0) == 0);
        CHECK(by_xx(pow(x, 2_c), 0) == 2);
        CHECK(by_xx(pow(x, 3_c), 0) == 0);
        CHECK(by_xx(pow(x, 26_c), 0) == 0);
        CHECK(by_x(pow(x, 2_c), -2) == -4);
        CHECK(by_x(pow(x, 3_c), -2) == 12);
        CHECK(by_x(pow(x, 3.0), -2) == 12);
    }
    SECTION("a variable exponent") {
        constexpr auto F = cr::function(pow(x, y), cr::wrt(x, y));
        for (const double n : {0.25, 0.5, 1.0, 1.5, 2.0, 7.0}) {
            CAPTURE(n);
            CHECK(F(0.0, n) == 0);
            CHECK(F.gradient(0.0, n)[0] == (n > 1 ? 0 : n == 1 ? 1 : infinity));
            CHECK(F.gradient(0.0, n)[1] == 0); // d/dn 0^n
            CHECK(cr::gradient(pow(x, y))(x = 0.0, y = n)[y] == 0);
            CHECK(cr::derivative(pow(x, y), y)(x = 0.0, y = n) == 0);
        }
        CHECK(F.hessian(0.0, 2.0)[0][0] == 2);
        CHECK(F.hessian(0.0, 3.0)[0][1] == 0);
        CHECK(F.gradient(2.0, 0.0)[0] == 0);
    }
}

TEST_CASE("x log(y) at 0", "[edges]") {
    constexpr auto F = cr::function(xlogy(x, y), cr::wrt(x, y));
    CHECK(F(0.0, 0.0) == 0);
    CHECK(F(0.0, 2.0) == 0);
    CHECK(F(0.0, infinity) == 0);
    CHECK(std::isnan(F(0.0, not_a_number)));
    CHECK(std::isnan(F(not_a_number, 1.0)));
    CHECK(F.gradient(0.0, 2.0)[0] == std::log(2.0));
    CHECK(F.gradient(0.0, 2.0)[1] == 0);
}

TEST_CASE("ends of the number line", "[edges]") {
    CHECK(by_x(exp(x), -infinity) == 0);
    CHECK(by_x(exp(x), infinity) == infinity);
    CHECK(by_x(log(x), 0) == infinity);
    CHECK(by_x(log(x), infinity) == 0);
    CHECK(by_x(sqrt(x), infinity) == 0);
    CHECK(by_x(tanh(x), infinity) == 0);
    CHECK(by_x(tanh(x), -infinity) == 0);
    CHECK(by_x(erf(x), infinity) == 0);
    CHECK(by_x(erfc(x), -infinity) == 0);
    CHECK(by_x(erf(x), 1e200) == 0);
    for (const double at : {-1e8 - 0.1, -1e10 / 3, -1e200, -infinity}) { // the rounding error of the square overflows
        CAPTURE(at);
        CHECK(cr::functions::erfcx::value(at) == infinity);
        CHECK(by_x(erfcx(x), at) == -infinity);
    }
}

TEST_CASE("a structural zero is zero beside an infinity or NaN", "[edges]") {
    CHECK(by_x(sqrt(x) * 0_c, 0) == 0); // 0 * inf
    CHECK(by_x(x + sqrt(x) * 0_c, 0) == 1);
    CHECK(by_x(log(x) - log(x), 0) == 0); // inf - inf
    constexpr auto F = cr::function(x + sqrt(y), cr::wrt(x, y));
    CHECK(F.gradient(1.0, 0.0)[0] == 1);
    CHECK(F.gradient(1.0, 0.0)[1] == infinity);
    CHECK(F.gradient(infinity, 4.0)[1] == 0.25);
    CHECK(F.gradient(not_a_number, 4.0)[1] == 0.25);
    CHECK(F.hessian(not_a_number, 4.0)[0][1] == 0);
    CHECK(F.hessian(infinity, not_a_number)[0][0] == 0);
    constexpr auto G = cr::function(log(y), cr::wrt(x, y));
    CHECK(G.gradient(not_a_number, 0.0)[0] == 0);
    CHECK(G.gradient(infinity, not_a_number)[0] == 0);
    // A constant argument at a point where the derivative is infinite.
    CHECK(cr::function(x * sqrt(0.0 * y + 0.0), cr::wrt(x), cr::given(y = 1.0)).gradient(3.0)[0] == 0);
    const auto K = cr::function(x + sqrt(y), cr::wrt(x), cr::given(y = 0.0));
    CHECK(K.gradient(3.0)[0] == 1);
    CHECK(cr::function(x * sqrt(y), cr::wrt(x), cr::given(y = 0.0)).gradient(3.0)[0] == 0);
    CHECK(cr::function(x + sqrt(0_c), cr::wrt(x)).gradient(3.0)[0] == 1);
}

TEST_CASE("expressions choose by whether something is NaN, infinite or finite", "[edges]") {
    const auto F = cr::function(
        select(isnan(log(x)), x, select(isinf(log(x)), 2.0 * x, select(isfinite(3.0 * x), x * x, 5_c))), cr::wrt(x));
    const double inf = std::numeric_limits<double>::infinity(), huge = std::numeric_limits<double>::max();
    CHECK((F(-3.0) == -3 && F.gradient(-3.0)[0] == 1));
    CHECK((F(0.0) == 0 && F.gradient(0.0)[0] == 2));
    CHECK((F(inf) == inf && F.gradient(inf)[0] == 2));
    CHECK((F(3.0) == 9 && F.gradient(3.0)[0] == 6));
    CHECK((F(huge) == 5 && F.gradient(huge)[0] == 0));
    CHECK(F.hessian(3.0)[0][0] == 2);
    CHECK(std::isnan(F(std::numeric_limits<double>::quiet_NaN())));
    CHECK(cr::to_string(isnan(x)) == "x != x");
}

TEST_CASE("NaN in, NaN out: operators", "[edges]") {
    CHECK(std::isnan((x + 1_c)(x = not_a_number)));
    CHECK(std::isnan(by_x(x * x, not_a_number)));
    CHECK(std::isnan(by_x(1_c / x, not_a_number)));
    CHECK(by_x(2_c * x, not_a_number) == 2);
}
