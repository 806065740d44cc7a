// SPDX-License-Identifier: BSL-1.0
//
// Simplified and expanded expressions have the values of the original up to rounding, and substitution keeps them to
// the bit. tests/algebra/static/simplify.cpp and substitute.cpp have the expressions.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/custom_function.hpp>
#include <chainrule/dual.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

// Values and gradients of f and of what it is rewritten to.
template <class F, class G>
void check_equal(const F& f, const G& g) {
    const auto as_written = cr::function(f, cr::wrt(x, y, z));
    const auto rewritten = cr::function(g, cr::wrt(x, y, z));
    std::mt19937 random(11);
    std::uniform_real_distribution<double> in(0.2, 3);
    for (int k = 0; k < 50; ++k) {
        const std::array point{in(random), in(random), in(random)};
        const auto [value, gradient] = as_written.value_and_gradient(point);
        const auto [other, slope] = rewritten.value_and_gradient(point);
        CHECK(other == Approx(value).epsilon(1e-10).margin(1e-10));
        for (std::size_t i = 0; i < 3; ++i) CHECK(slope[i] == Approx(gradient[i]).epsilon(1e-9).margin(1e-9));
    }
}
template <class F>
void check_rewriting(const F& f) {
    const auto simple = simplify(f);
    const auto expanded = expand(f);
    check_equal(f, simple);
    check_equal(f, expanded);
    // Rewriting a second time changes nothing, not even the order.
    CHECK(cr::to_string(simplify(simple)) == cr::to_string(simple));
    CHECK(cr::to_string(expand(expanded)) == cr::to_string(expanded));
}

TEST_CASE("simplified and expanded expressions have the values of the original") {
    check_rewriting((x + y) * (x - z) / (x * y + x * z) + x / 3_c - z * x / 6_c);
    check_rewriting(pow(x + 2_c * y - z, 4_c) - (x + y) * (x + y));
    check_rewriting(exp(-(x - y) * (x - y)) * (x + y + z) / sqrt(x * x + 2_c * x * y + y * y));
    check_rewriting(select(x * x < y + y, (x + 1_c) * (y - 1_c), sin(x * (y + z)) / (x + y)) * (z - x));
    check_rewriting(2.5_c * (x + 0.5_c * y) * (x - z) + hypot(x + x, y * z + y, z) - log(x / y / z));
    check_rewriting(-(-(x - y) - (y - z)) * pow(x * y, -2_c) + 1_c / (x + y) - max(x + x, y + y) * 0.1_c);
}

// Its derivative tests whether its argument is finite.
struct bounded_function : cr::custom_function<bounded_function, 1> {
    static constexpr char name[] = "bounded";
    template <class T>
    static constexpr T value(const T& u) {
        return u * u;
    }
    template <int K, class T>
    static constexpr auto derivative(const T& u, const T&) {
        using std::isfinite;
        return select(isfinite(u), 2 * u, T(7));
    }
};
constexpr bounded_function bounded;

TEST_CASE("what is finite is known to rewritten and relaxed values, and to derivatives of custom functions") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr auto quotient = select(isfinite(1_c / x), y / x, 0_c);
    const auto check = [](const auto& f) {
        CHECK(f(0.0, 1.0) == 0.0);
        CHECK(f(2.0, 1.0) == 0.5);
        CHECK(f.gradient(0.0, 1.0) == std::array{0.0, 0.0});
        CHECK(f.gradient(2.0, 1.0) == std::array{-0.25, 0.5});
    };
    check(cr::function(quotient, cr::wrt(x, y)));
    check(cr::function(quotient, cr::wrt(x, y), cr::relaxed()));
    check(cr::function(simplify(quotient), cr::wrt(x, y)));
    check(cr::function(expand(quotient), cr::wrt(x, y)));
    check(cr::function([](auto u, auto v) { return select(isfinite(1.0 / u), v / u, 0.0); }, cr::relaxed()));
    const auto other = cr::function(select(isinf(x), 5_c, x), cr::wrt(x), cr::relaxed());
    CHECK(other(-infinity) == 5.0);
    CHECK(other(3.0) == 3.0);
    CHECK(std::isnan(other(std::numeric_limits<double>::quiet_NaN())));
    const auto slope = cr::function(bounded(x), cr::wrt(x));
    CHECK(slope.gradient(infinity)[0] == 7.0);
    CHECK(slope.gradient(3.0)[0] == 6.0);
    CHECK(bounded(cr::dual<double>::variable(infinity)).tangents[0] == 7.0);
}

// The same steps for numbers and for expressions.
template <int Steps, class A, class B>
constexpr auto chain(A a, B b) {
    using std::sin;
    if constexpr (Steps == 0)
        return a;
    else
        return chain<Steps - 1>(sin(a) * b, a + b);
}

TEST_CASE("substitution rebuilds what is shared once, with the values of what is written") {
    // 180 operations on shared operands: written out as a tree, more than 10^17.
    constexpr auto before = chain<60>(x, y);
    constexpr auto after = substitute(before, x = x * y + 1_c, y = x - y);
    const double a = 0.3, b = 0.2;
    CHECK(after(x = a, y = b) == chain<60>(a * b + 1, a - b));
    CHECK(after(x = a, y = b) == before(x = a * b + 1, y = a - b));
}

} // namespace
