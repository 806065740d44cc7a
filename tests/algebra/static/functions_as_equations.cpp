// SPDX-License-Identifier: BSL-1.0
//
// Functions, also of traced code, as the equations of newton() and implicit_derivative().
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto r = cr::variable<"r">;

constexpr auto circle = cr::function([](auto a, auto b, auto c) { return a * a + b * b - c; }, cr::wrt(x, y, r));
static_assert(cr::newton(circle, x, 1.0, y = 0.0, r = 4.0) == 2.0);
static_assert(cr::try_newton(circle, x, 1.0, y = 3.0, r = 4.0).status != cr::root_status::converged);
static_assert(cr::newton_and_gradient(circle, x, 1.0, y = 0.0, r = 4.0)[r] == 0.25);
static_assert(cr::text_is<"-(y / x)">(cr::implicit_derivative(circle, x, y)));

constexpr auto system =
    cr::function([](auto a, auto b, auto c) { return std::array{a * a + b * b - c, a - b}; }, cr::wrt(x, y, r));
static_assert(cr::newton(system, cr::wrt(x, y), std::array{1.0, 1.5}, r = 2.0) == std::array{1.0, 1.0});
static_assert(cr::newton_and_gradient(system, cr::wrt(x, y), std::array{1.0, 1.5}, r = 2.0)[1][r] == 0.25);

// Parameters keep their values, and inputs without names are x0, x1 and so on.
constexpr auto bound = cr::function([](auto a, auto c) { return a * a - c; }, cr::wrt(x), cr::given(r = 4.0));
static_assert(cr::newton(bound, x, 1.0) == 2.0);
static_assert(cr::newton(bound, x, cr::dual<double, 1>{1.0, {}}).value == 2.0);
constexpr auto bound_line = cr::function(x * r - y, cr::wrt(x, y), cr::given(r = 4.0));
static_assert(cr::newton_and_gradient(bound_line, x, 1.0, y = 2.0).value == 0.5);
static_assert(cr::newton_and_gradient(bound_line, x, 1.0, y = 2.0)[y] == 0.25);
constexpr auto k = cr::variables<"k", 2>;
constexpr auto bound_vector =
    cr::function(cr::vector(x * k[0_c] - y, y* k[1_c] - 3), cr::wrt(x, y), cr::given(k = std::array{2.0, 1.0}));
static_assert(cr::newton(bound_vector, cr::wrt(x, y), std::array{1.0, 1.0}) == std::array{1.5, 3.0});

// Code of more operations than there may be types for.
constexpr auto long_code = cr::function(
    [](auto a, auto b, auto c) {
        auto s = b;
        for (int i = 0; i < 300; ++i) s = s + c * (b - s);
        return a * a - s;
    },
    cr::wrt(x, y), cr::given(r = 0.5));
static_assert(cr::newton(long_code, x, 1.0, y = 4.0) == 2.0);
static_assert(cr::newton_and_gradient(long_code, x, 1.0, y = 4.0)[y] == 0.25);
constexpr auto unnamed = cr::function([](auto a) { return a * a - 4; });
static_assert(cr::newton(unnamed, cr::variable<"x0">, 1.0) == 2.0);
constexpr auto of_expression = cr::function(x * x - r, cr::wrt(x, r));
static_assert(cr::newton(of_expression, x, 1.0, r = 4.0) == 2.0);

} // namespace
