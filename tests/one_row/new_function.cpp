// SPDX-License-Identifier: BSL-1.0
//
// Uses atan, which the table does not have but for the one row that CMakeLists.txt adds to a copy of it: calls by name,
// derivatives as expressions and as numbers, constant expressions, text, stored numbers, other number types.
#include "../catch.hpp"

#include <chainrule/chainrule.hpp>

#include <cmath>
#include <concepts>
#include <string_view>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = atan(3_c * x + 1_c) * y;

/// A number-like class with an atan of its own.
struct wrapped {
    double value = 0;
    wrapped() = default;
    wrapped(double v) : value(v) {}
    friend wrapped operator+(wrapped a, wrapped b) { return a.value + b.value; }
    friend wrapped operator*(wrapped a, wrapped b) { return a.value * b.value; }
    friend wrapped operator/(wrapped a, wrapped b) { return a.value / b.value; }
    friend wrapped atan(wrapped a) { return std::atan(a.value); }
};

// Constant expressions, on every compiler.
constexpr auto at_one = cr::value_and_gradient(f)(x = 0.0, y = 2.0);
static_assert(at_one.value == 1.5707963267948966); // 2 atan(1)
static_assert(at_one[x] == 3.0);                   // 2 * 3 / (1 + 1)
static_assert(at_one[y] == 0.78539816339744831);
static_assert(cr::hessian(f)(x = 0.0, y = 2.0)(x, x) == -9.0); // 2 * 9 * -2 * 1 / (1 + 1)^2

// Expressions.
static_assert(cr::same(cr::derivative(f, y), atan(3_c * x + 1_c)));
static_assert(cr::to_string(atan(x + y)) == "atan(x + y)");
static_assert(cr::same(cr::derivative(atan(x), x), 1_c / (1_c + x * x)));

template <class... Row>
constexpr bool has(std::string_view name, cr::functions::row_list<Row...>) {
    return (false || ... || (name == std::string_view(Row::name)));
}
// So the tests over the table, compiled into this program too, cover it.
static_assert(has("atan", cr::functions::all{}));

}  // namespace

TEST_CASE("a function of one row is evaluated like any other", "[functions]") {
    CHECK(f(x = 0.3, y = 2.0) == std::atan(3 * 0.3 + 1) * 2.0);
    CHECK(f(x = 0.3F, y = 2.0F) == std::atan(3 * 0.3F + 1) * 2.0F);
    CHECK(f(x = 0.3L, y = 2.0L) == std::atan(3 * 0.3L + 1) * 2.0L);
    CHECK(atan(0.5 * x)(x = 0.3) == std::atan(0.5 * 0.3));
    constexpr auto F = cr::function(f, cr::wrt(x, y));
    CHECK(F(wrapped(0.3), wrapped(2.0)).value == std::atan(3 * 0.3 + 1) * 2.0);
    CHECK(F.gradient(0.3, 2.0)[0] == Approx(6 / (1 + 1.9 * 1.9)).epsilon(1e-14));
    CHECK(F.gradient(wrapped(0.3), wrapped(2.0))[0].value == Approx(6 / (1 + 1.9 * 1.9)).epsilon(1e-14));
}
