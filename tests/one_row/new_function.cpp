// SPDX-License-Identifier: BSL-1.0
//
// Uses haversine, which the table does not have but for the one row that CMakeLists.txt adds to a copy of it: calls by
// name, derivatives as expressions and as numbers, constant expressions, text, stored numbers, other number types.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/text.hpp>

#include <cmath>
#include <concepts>
#include <string_view>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = haversine(3_c * x + 1_c) * y;

/// A number-like class with sines and cosines of its own.
struct wrapped {
    double value = 0;
    wrapped() = default;
    wrapped(double v) : value(v) {}
    friend wrapped operator+(wrapped a, wrapped b) { return a.value + b.value; }
    friend wrapped operator-(wrapped a, wrapped b) { return a.value - b.value; }
    friend wrapped operator*(wrapped a, wrapped b) { return a.value * b.value; }
    friend wrapped operator/(wrapped a, wrapped b) { return a.value / b.value; }
    friend wrapped cos(wrapped a) { return std::cos(a.value); }
    friend wrapped sin(wrapped a) { return std::sin(a.value); }
};

// Constant expressions, on every compiler.
constexpr auto at_minus_third = cr::value_and_gradient(haversine(3_c * x) * y)(x = 0.0, y = 2.0);
static_assert(at_minus_third.value == 0);
static_assert(at_minus_third[x] == 0);
static_assert(at_minus_third[y] == 0);
static_assert(cr::hessian(haversine(3_c * x) * y)(x = 0.0, y = 2.0)(x, x) == 9.0); // 2 * 9 * cos(0) / 2

// Expressions.
static_assert(cr::same(cr::derivative(f, y), haversine(3_c * x + 1_c)));
static_assert(cr::to_string(haversine(x + y)) == "haversine(x + y)");
static_assert(cr::to_string(cr::derivative(haversine(x), x)) == "0.5 * sin(x)");
static_assert(cr::to_latex(haversine(x)) == "\\operatorname{haversine}\\left(x\\right)");
static_assert(std::string_view(cr::to_c(cr::function(haversine(x), cr::wrt(x)))).find("return ((1 - cos(x)) / 2);") !=
              std::string_view::npos);

template <class... Row>
constexpr bool has(std::string_view name, cr::functions::row_list<Row...>) {
    return (false || ... || (name == std::string_view(Row::name)));
}
// So the tests over the table, compiled into this program too, cover it.
static_assert(has("haversine", cr::functions::all{}));

template <class T>
T plain(T u) {
    return (1 - std::cos(u)) / 2;
}

} // namespace

TEST_CASE("a function of one row is evaluated like any other", "[functions]") {
    CHECK(f(x = 0.3, y = 2.0) == plain(3 * 0.3 + 1) * 2.0);
    CHECK(f(x = 0.3F, y = 2.0F) == plain(3 * 0.3F + 1) * 2.0F);
    CHECK(f(x = 0.3L, y = 2.0L) == plain(3 * 0.3L + 1) * 2.0L);
    CHECK(haversine(0.5 * x)(x = 0.3) == plain(0.5 * 0.3));
    constexpr auto F = cr::function(f, cr::wrt(x, y));
    CHECK(F(wrapped(0.3), wrapped(2.0)).value == plain(3 * 0.3 + 1) * 2.0);
    CHECK(F.gradient(0.3, 2.0)[0] == Approx(3 * std::sin(1.9)).epsilon(1e-14));
    CHECK(F.gradient(wrapped(0.3), wrapped(2.0))[0].value == Approx(3 * std::sin(1.9)).epsilon(1e-14));
}
