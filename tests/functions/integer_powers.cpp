// SPDX-License-Identifier: BSL-1.0
//
// A power with an integer as its exponent, known when the program runs: its value is the product of pow(x, n_c), bit
// for bit, and its derivatives of every order are finite where those of the polynomial are; in every mode.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double points[] = {-inf, -1e200, -2.5, -1, -0.0, 0, 1e-200, 0.3, 1, 1.7, 3, inf, nan};

bool same(double a, double b) { return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b); }

/// Compares pow(x, n) with the product E that is known while the program compiles.
template <class E>
void compare(int n, const E& product) {
    const auto power = cr::function(pow(x, n), cr::wrt(x));
    const auto known = cr::function(product, cr::wrt(x));
    for (const double at : points) {
        CAPTURE(n, at);
        const double value = known(at), slope = known.gradient(at)[0], second = known.hessian(at)[0][0];
        CHECK(same(power(at), value));
        CHECK(same(pow(x, n)(x = at), value));
        const auto near = [](double found, double expected) {
            return same(found, expected) || found == Approx(expected).epsilon(1e-14) || (found == 0 && expected == 0);
        };
        CHECK(near(power.gradient(at)[0], slope));
        CHECK(near(power.hessian(at)[0][0], second));

        const auto moved = pow(cr::dual<double>::variable(at), n);
        CHECK(same(moved.value, value));
        CHECK(near(moved.tangents[0], slope));

        const auto f = [n](const auto& p) { return std::remove_cvref_t<decltype(p[0])>(pow(p[0], n)); };
        const auto recorded = tape::hessian(f, std::vector{at});
        CHECK(same(recorded.value, value));
        CHECK(near(recorded.gradient[0], slope));
        CHECK(near(recorded.hessian(0, 0), second));
    }
}

struct cubic_class : cr::custom_function<cubic_class, 1> {
    static constexpr char name[] = "cubic";
    template <class T>
    static constexpr T value(const T& v) {
        return pow(v, 3);
    }
    template <int, class T>
    static constexpr auto derivative(const T& v, const T&) {
        return 3 * pow(v, 2);
    }
};
constexpr cubic_class cubic{};

} // namespace

TEST_CASE("a power with an integer exponent is a product", "[powers]") {
    compare(0, pow(x, 0_c));
    compare(1, pow(x, 1_c));
    compare(2, pow(x, 2_c));
    compare(3, pow(x, 3_c));
    compare(7, pow(x, 7_c));
    compare(64, pow(x, 64_c));
    compare(-1, pow(x, -1_c));
    compare(-2, pow(x, -2_c));
}

TEST_CASE("an integer exponent beyond 64 is as accurate as std::pow", "[powers]") {
    for (const int n : {65, -65, 1001, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
        for (const double at : points) {
            CAPTURE(n, at);
            CHECK(same(pow(x, n)(x = at), std::pow(at, n)));
        }
    CHECK(pow(x, std::numeric_limits<int>::min())(x = -1.0) == 1);
    CHECK(pow(x, std::numeric_limits<int>::max())(x = -1.0) == -1);
    CHECK(cr::function(pow(x, std::numeric_limits<int>::min()), cr::wrt(x)).gradient(-1.0)[0] == 0x1p31);
    CHECK(pow(x, std::int64_t{1} << 40)(x = -1.0) == 1);
    CHECK(pow(x, 4000000000u)(x = 1.0) == 1);
}

TEST_CASE("derivatives of every order at 0", "[powers]") {
    const int n = 3;
    const auto f = pow(x, n);
    CHECK(cr::derivative(f, x)(x = 0.0) == 0);
    CHECK(cr::derivative<2>(f, x)(x = 0.0) == 0);
    CHECK(cr::derivative<3>(f, x)(x = 0.0) == 6);
    CHECK(cr::derivative<4>(f, x)(x = 0.0) == 0);
    CHECK(cr::function(f, cr::wrt(x)).taylor<5>(std::array{0.0}, std::array{1.0}) ==
          std::array{0.0, 0.0, 0.0, 1.0, 0.0, 0.0});
    CHECK(cr::derivative<2>(pow(x, -n), x)(x = 2.0) == 12.0 / 32);
    using twice = cr::dual<cr::dual<double>>;
    const twice moved = pow(twice(cr::dual<double>::variable(0.0), {cr::dual<double>(1.0)}), 2);
    CHECK(moved.tangents[0].tangents[0] == 2);
}

TEST_CASE("integer powers of other types of numbers", "[powers]") {
    static_assert(std::same_as<decltype(pow(x, 2)(x = 1.0f)), double>); // as std::pow of float and int
    static_assert(std::same_as<decltype(pow(x, 2)(x = 1.0L)), long double>);
    const std::complex<double> i(0, 1);
    CHECK(pow(x, 3)(x = i) == i * i * i);
    CHECK(cr::function(pow(x, 3), cr::wrt(x)).gradient(i)[0] == 3.0 * (i * i));
    CHECK(cubic(2.0) == 8);
    static_assert(cr::same(cr::derivative<3>(cubic(x), x), 6_c));
    CHECK(pow(2, x)(x = 3.0) == 8);
}
