// SPDX-License-Identifier: BSL-1.0
//
// Comparisons of expressions, select() by them, and what the derivatives of selections and of functions with kinks are:
// nothing of an untaken arm reaches a value or a derivative of any order.
#include <chainrule/chainrule.hpp>

#include <limits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Whether value, first and second derivative at a point are these, by position, by name and as expressions.
template <class F>
constexpr bool has(const F& f, double at, double value, double first, double second) {
    constexpr auto by = cr::wrt(x);
    const auto r = cr::function(f, by).value_gradient_and_hessian(at);
    return r.value == value && r.gradient[0] == first && r.hessian[0][0] == second && f(x = at) == value &&
           cr::function(f, by).gradient(at)[0] == first && cr::function(cr::derivative(f, x), by)(at) == first &&
           cr::function(cr::derivative<2>(f, x), by)(at) == second &&
           cr::function(cr::derivative(cr::derivative(f, x), x), by)(at) == second;
}

// Text: as written, and as few parentheses as keep the meaning.
// clang-format off: it takes the products for pointers

static_assert(cr::to_string(x > 0_c) == "x > 0");
static_assert(cr::to_string(x + y <= x * y) == "x + y <= x * y");
static_assert(cr::to_string(x > -1_c) == "x > -1");
static_assert(cr::to_string(!(x == y) && (x < y || x >= 2_c)) == "!(x == y) && (x < y || x >= 2)");
static_assert(cr::to_string((x == y && x < y) || x != 2_c) == "x == y && x < y || x != 2");
static_assert(cr::to_string(1_c + select(x > 0_c, x, -x)) == "1 + select(x > 0, x, -x)");
static_assert(cr::to_string(select(x > 0, 2.5 * x, -1.5)) == "select(x > 0, 2.5 * x, -1.5)");

// Each relation, and the connectives.
static_assert(has(select(x < 2_c, 1_c, 0_c), 1, 1, 0, 0) && has(select(x < 2_c, 1_c, 0_c), 2, 0, 0, 0));
static_assert(has(select(x <= 2_c, 1_c, 0_c), 2, 1, 0, 0) && has(select(x <= 2_c, 1_c, 0_c), 3, 0, 0, 0));
static_assert(has(select(x > 2_c, 1_c, 0_c), 3, 1, 0, 0) && has(select(x > 2_c, 1_c, 0_c), 2, 0, 0, 0));
static_assert(has(select(x >= 2_c, 1_c, 0_c), 2, 1, 0, 0) && has(select(x >= 2_c, 1_c, 0_c), 1, 0, 0, 0));
static_assert(has(select(x == 2_c, 1_c, 0_c), 2, 1, 0, 0) && has(select(x == 2_c, 1_c, 0_c), 1, 0, 0, 0));
static_assert(has(select(x != 2_c, 1_c, 0_c), 1, 1, 0, 0) && has(select(x != 2_c, 1_c, 0_c), 2, 0, 0, 0));
static_assert(has(select(x > 0_c && x < 2_c, x * x, 5_c), 1, 1, 2, 2) &&
              has(select(x > 0_c && x < 2_c, x * x, 5_c), 3, 5, 0, 0));
static_assert(has(select(x < 0_c || x > 2_c, x * x, 5_c), -1, 1, -2, 2) &&
              has(select(x < 0_c || x > 2_c, x * x, 5_c), 1, 5, 0, 0));
// As in C++, the second comparison is read only if the first does not decide: log(-1) is not a constant expression.
static_assert(has(select(x > 0_c && log(x) > -1_c, x * x, 5_c), -1, 5, 0, 0) &&
              has(select(x > 0_c && log(x) > -1_c, x * x, 5_c), 1, 1, 2, 2));
static_assert(has(select(x < 0_c || sqrt(x) > 2_c, x * x, 5_c), -1, 1, -2, 2) &&
              has(select(x < 0_c || sqrt(x) > 2_c, x * x, 5_c), 1, 5, 0, 0));
static_assert(has(select(!(x > 0_c), x * x, 5_c), -1, 1, -2, 2) && has(select(!!(x > 0_c), x * x, 5_c), -1, 5, 0, 0));

// Derivatives as expressions.
static_assert(cr::to_string(cr::derivative(select(x > 0_c, x * x, -x), x)) == "select(x > 0, 2 * x, -1)");
static_assert(cr::to_string(cr::derivative(select(x > 0_c, sqrt(x), 0_c), x)) == "select(x > 0, 1 / (2 * sqrt(x)), 0)");
static_assert(cr::to_string(cr::derivative(select(x > 0_c, 0_c, sin(x)), x)) == "select(x > 0, 0, cos(x))");
static_assert(cr::same(cr::derivative(select(x > 0_c, 1_c, 2_c), x), 0_c));
static_assert(cr::same(cr::derivative(select(x > 0_c, y, y), x), 0_c));

// The untaken arm has no value or no derivative.
static_assert(has(select(x > 0_c, sqrt(x), 0_c), 0, 0, 0, 0) &&
              has(select(x > 0_c, sqrt(x), 0_c), 4, 2, 0.25, -0.03125));
static_assert(has(select(x != 0_c, sin(x) / x, 1_c), 0, 1, 0, 0));
static_assert(has(select(x > 0_c, log(x), x * x), 0, 0, 0, 2) && has(select(x > 0_c, log(x), x * x), -1, 1, -2, 2));
static_assert(has(select(x <= 1_c, x * x, 1_c / (x - 1_c)), 1, 1, 2, 2));
// Further factors that are infinite there, in front and behind.
static_assert(has(sqrt(select(x > 0_c, sqrt(x), 1_c)), 0, 1, 0, 0));
static_assert(has(x * x * select(x > 0_c, 1_c / x, 0_c) + x, 0, 0, 1, 0));
static_assert(has(select(x > 0_c, select(x > 1_c, log(x - 1_c), sqrt(x)), 3_c), 0, 3, 0, 0));
// The common part sqrt(x) of two selections is zero times infinite where neither is taken.
constexpr auto twice = select(x > 0_c, sqrt(x), 0_c) + select(x > 1_c, 2_c * sqrt(x), 0_c);
static_assert(has(twice, 0, 0, 0, 0) && has(twice, 1, 1, 0.5, -0.25) && has(twice, 4, 6, 0.75, -0.09375));
// Long products keep their guards.
constexpr auto powers = [](auto u) { return u * u * u * u * u; };
static_assert(has(select(x > 0_c, powers(1_c / x) * powers(sqrt(x)) * powers(x) * powers(x), x), 0, 0, 1, 0));
// A selection in a denominator.
static_assert(has(1_c / select(x > 0_c, sqrt(x), 2_c), 0, 0.5, 0, 0));

// By several variables.
constexpr auto H = cr::function(select(x > y, x / y, y* y), cr::wrt(x, y));
static_assert(H.gradient(1.0, 2.0) == std::array{0.0, 4.0} && H.gradient(3.0, 2.0) == std::array{0.5, -0.75});
static_assert(H.hessian(-1.0, 0.0)[0][1] == 0 && H.hessian(-1.0, 0.0)[1][1] == 2);

// Kinks: |x|' = 0 and relu'(x) = 0 at 0; where two numbers are equal, max and min take half of either derivative.
static_assert(has(abs(x), -2, 2, -1, 0) && has(abs(x), 0, 0, 0, 0) && has(abs(x), 2, 2, 1, 0));
static_assert(has(sign(x), -2, -1, 0, 0) && has(sign(x), 0, 0, 0, 0) && has(sign(x), 2, 1, 0, 0));
static_assert(has(relu(x), -2, 0, 0, 0) && has(relu(x), 0, 0, 0, 0) && has(relu(x), 2, 2, 1, 0));
static_assert(has(sqrt(relu(x)), -1, 0, 0, 0) && has(sqrt(relu(x)), 0, 0, 0, 0) &&
              has(sqrt(relu(x)), 4, 2, 0.25, -0.03125));
static_assert(has(max(x, 2_c), 1, 2, 0, 0) && has(max(x, 2_c), 2, 2, 0.5, 0) && has(max(x, 2_c), 3, 3, 1, 0));
static_assert(has(min(x, 2_c), 1, 1, 1, 0) && has(min(x, 2_c), 2, 2, 0.5, 0) && has(min(x, 2_c), 3, 2, 0, 0));
static_assert(has(max(2_c, x), 1, 2, 0, 0) && has(min(2_c, x), 1, 1, 1, 0));
// Where none of several kinks moves, the infinite slope of what they share is multiplied by zero: 1 / (2 * sqrt(0)).
static_assert(has(relu(sqrt(x) - 1_c) + relu(sqrt(x) - 2_c), 0, 0, 0, 0) &&
              has(relu(sqrt(x) - 1_c) + relu(sqrt(x) - 2_c), 4, 1, 0.25, -0.03125));
static_assert(has(max(sqrt(x), 3_c) * max(sqrt(x), 1_c), 0, 3, 0, 0));
static_assert(has(sqrt(relu(sqrt(x) - 1_c) + relu(sqrt(x) - 2_c)), 0, 0, 0, 0));
static_assert(has(sin(max(cbrt(x), 3_c) - clamp(cbrt(x), 1_c, 2_c) - 2_c), 0, 0, 0, 0));
static_assert(has(max(x, infinity), infinity, infinity, 0.5, 0));
static_assert(has(log(max(x, 1_c)), 0, 0, 0, 0) && has(max(x * x, x), 2, 4, 4, 2));
static_assert(cr::function(max(x, y), cr::wrt(x, y)).gradient(1.0, 1.0) == std::array{0.5, 0.5});
static_assert(cr::to_string(cr::derivative(abs(x), x)) == "sign(x)");

// A comparison is counted as what it is.
static_assert(cr::operation_count(cr::function(select(x > 0_c, x * x, -x), cr::wrt(x))).selections == 3);
static_assert(cr::operation_count(cr::function(select(x > 0_c, 2_c, 3_c) * x, cr::wrt(x))).selections == 2);

} // namespace
