// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of implicit functions and roots: exact values in constant expressions, on every compiler.
// tests/algebra/newton.cpp has values in general.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

// Derivatives of implicit functions.
constexpr auto circle = x * x + y * y - 25_c;
static_assert(cr::to_string(cr::implicit_derivative(circle, y, x)) == "-(x / y)");
static_assert(cr::implicit_derivative(circle, y, x)(x = 3.0, y = 4.0) == -0.75);
constexpr auto slopes = cr::implicit_derivative(x * y * z - 1_c, z, cr::wrt(x, y));
static_assert(cr::to_string(slopes[1_c]) == "-(z / y)");
constexpr auto pair = cr::vector(y * y + z * z - x, y - z);
static_assert(cr::implicit_derivative(pair, cr::wrt(y, z), x)(y = 2.0, z = 2.0) == std::array{0.125, 0.125});
static_assert(cr::implicit_derivative(cr::vector(y - x * x, z - x * 3_c), cr::vector(y, z), cr::wrt(x))(x = 2.0) ==
              std::array{std::array{4.0}, std::array{3.0}});

// Roots in constant expressions.
static_assert(cr::newton(y * y - x, y, 1.0, x = 4.0) == 2.0);
static_assert(cr::newton(y * y - x, y, 1, x = 4) == 2.0); // integers compute as double
static_assert(std::is_same_v<decltype(cr::newton(y * y - x, y, 1.0f, x = 4.0f)), float>);
static_assert(cr::newton(2.0 * y - x, y, 1.0f, x = 4) == 2.0);
static_assert(cr::newton_and_gradient(y * y - x, y, 1.0, x = 4.0)[x] == 0.25);
static_assert(cr::newton_and_gradient(circle, y, 3.0, x = 3.0)[x] == -0.75);
constexpr auto E = cr::variable<"E">;
constexpr auto e = cr::variable<"e">;
constexpr auto M = cr::variable<"M">;
constexpr auto kepler = E - e * sin(E) - M;
constexpr double anomaly = cr::newton(kepler, E, 1.0, e = 0.5, M = 1.0);
static_assert(anomaly > 1.498701133517848 && anomaly < 1.498701133517849);
constexpr auto both = cr::newton_and_gradient(pair, cr::wrt(y, z), std::array{1.0, 0.5}, x = 8.0);
static_assert(both.value == std::array{2.0, 2.0} && both[0][x] == 0.125 && both[1][x] == 0.125);
static_assert(cr::newton(pair, cr::vector(y, z), std::array{1.0, 0.5}, x = 8.0) == std::array{2.0, 2.0});
// The status reports iterations that do not converge.
static_assert(cr::try_newton(y * y - x, y, 1.0, x = 4.0).converged());
static_assert(cr::try_newton(y * y - x, y, 1.0, x = 4.0).iterations < 8);
static_assert(cr::try_newton(y * y + 1_c, y, 0.5).status == cr::root_status::no_convergence);
static_assert(cr::try_newton(y * y + 1_c, y, 0.0).status == cr::root_status::no_slope);
static_assert(cr::try_newton(pair, cr::wrt(y, z), std::array{1.0, -1.0}, x = 8.0).status == cr::root_status::no_slope);
// Dual numbers as parameters: derivatives of any order by nesting.
constexpr auto moved = cr::newton(y * y - x, y, 1.0, x = cr::dual_variables(4.0)[0]);
static_assert(moved.value == 2.0 && moved.tangents[0] == 0.25);
// Vectors of parameters.
constexpr auto shift = cr::variables<"shift", 2>;
constexpr auto shifted = cr::vector(y * y - shift[0_c], z* z - shift[1_c] * x);
static_assert(cr::newton(shifted, cr::wrt(y, z), std::array{1.0, 1.0}, shift = {1.0, 4.0}, x = 1.0) ==
              std::array{1.0, 2.0});
static_assert(cr::newton_and_gradient(shifted, cr::wrt(y, z), std::array{1.0, 1.0}, shift = {1.0, 4.0},
                                      x = 1.0)[1][shift[1_c]] == 0.25);

} // namespace
