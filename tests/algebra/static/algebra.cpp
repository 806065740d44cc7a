// SPDX-License-Identifier: BSL-1.0
//
// Substitution, rewriting, implicit derivatives and roots: what the expressions are, and exact values on every
// compiler. tests/algebra/algebra.cpp has values in general.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>

#include <array>
#include <type_traits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

// Substitution keeps the written form and makes all replacements at once.
static_assert(same(substitute(x * y, x = y, y = x), y* x));
static_assert(same(substitute(x * y, x = y + 1_c), (y + 1_c) * y));
static_assert(same(substitute(pow(x, 2_c) - -x, x = y * z), pow(y* z, 2_c) - -(y * z)));
static_assert(same(substitute(select(x < y, x, hypot(x, y, 2_c)), x = 1_c), select(1_c < y, 1_c, hypot(1_c, y, 2_c))));
static_assert(same(substitute(x * y, z = x), x* y) && same(substitute(x), x) && same(substitute(2_c, x = y), 2_c));
static_assert(same(substitute(x + y, x = boost::hana::int_c<3>), 3_c + y));
// Numbers are stored, one for each place.
static_assert(substitute(x * y, x = 2.0)(y = 3.0) == 6.0);
static_assert(substitute(3.0 * x * y, x = 2.0 * y + 1.0)(y = 3.0) == 63.0);
static_assert(sizeof(substitute(x * x + 5.0, x = 2.0 * y)) == 3 * sizeof(double));
static_assert(substitute(select(x < 2.0, x * 4.0, y), x = 1.0 * y)(y = 1.5) == 6.0);
static_assert(substitute(hypot(x, 3.0 * y, z), x = 1.0 * z)(y = 0.0, z = 0.0) == 0.0);
// Vectors and matrices.
static_assert(same(substitute(cr::vector(x, x* y), x = z)[1_c], z* y));
static_assert(same(substitute(cr::matrix(cr::vector(x, 0_c), cr::vector(y, x)), x = y, y = x)(1_c, 0_c), x));
// The derivative of what was composed is that of the chain rule.
// A vector of variables is replaced element by element, by expressions and numbers, and a matrix row by row.
constexpr auto q = cr::variables<"q", 2>;
constexpr auto many = cr::variables<"m", 60>;
static_assert(same(substitute(q[0_c] / q[1_c], q = cr::vector(x, q[0_c])), x / q[0_c]));
static_assert(same(substitute(x * q, q = x * q, x = y)[1_c], y*(x* q[1_c])));
static_assert(same(substitute(dot(many, many), many = x * many), dot(x* many, x* many)));
static_assert(substitute(q[0_c] + q[1_c] * x, q = cr::vector(2.0, 3.0 * y))(x = 1.0, y = 4.0) == 14.0);
static_assert(substitute(q[0_c] + q[1_c], q = {2.0, 3.0})() == 5.0);
static_assert(substitute(q[0_c] + q[1_c] * x, q = std::array{2, 3}, x = y)(y = 2.0) == 8.0);
constexpr auto entries = cr::matrix<2>(cr::variables<"a", 4>);
static_assert(same(substitute(trace(entries), entries = cr::matrix(q, x* q)), q[0_c] + x * q[1_c]));
static_assert(same(substitute(trace(entries), entries = cr::vector(x, 0_c, 1_c, y)), x + y));

constexpr auto composed = substitute(sin(x) * y, x = y * y);
static_assert(same(cr::derivative(composed, y), cr::derivative(sin(y* y) * y, y)));

// Free variables.
static_assert(std::is_same_v<decltype(free_variables(y * x + y)), decltype(cr::wrt(y, x))>);
static_assert(cr::gradient(y * x + y, free_variables(y* x + y))(x = 2.0, y = 5.0).values == std::array{3.0, 5.0});
static_assert(std::is_same_v<decltype(free_variables(cr::vector(z, x* z))), decltype(cr::wrt(z, x))>);
static_assert(std::is_same_v<decltype(free_variables(cr::matrix(cr::vector(z, y), cr::vector(1_c, y)))),
                             decltype(cr::wrt(z, y))>);
static_assert(std::is_same_v<decltype(free_variables(2_c)), decltype(cr::wrt())>);
static_assert(std::is_same_v<decltype(free_variables(cr::vector(z, x* z), y, z)), decltype(cr::wrt(z, x, y))>);

// Simplification.
template <class F, std::size_t N>
constexpr bool becomes(const F& f, const char (&text)[N]) {
    const auto once = simplify(f);
    return cr::to_string(once) == text && same(simplify(once), once);
}
static_assert(becomes(x * y + y * x, "2 * x * y") && becomes(x - x, "0") && becomes(x / x, "1") &&
              becomes(0_c * x, "0"));
static_assert(becomes(sin(x + x), "sin(2 * x)") && becomes((x + y) + (x - y), "2 * x") && becomes(-(x - y), "y - x"));
static_assert(becomes(x * y + x * z, "x * (y + z)") &&
              becomes(x * (y + z) * (y + z) + x * (y + z), "x * (y + z) * (1 + y + z)"));
static_assert(becomes(2_c * (x + y) + x, "3 * x + 2 * y") && becomes(2_c + 3_c * (4_c - 5_c), "-1"));
static_assert(becomes(2_c * x * y / (4_c * x), "0.5 * y") && becomes(1_c / (x / y), "y / x"));
static_assert(becomes(pow(x, 1_c + 1_c), "x * x") && becomes(log(x * x) + log(x * x), "2 * log(x * x)"));
static_assert(becomes(select(x + x < y, x + x, x * 1_c), "select(2 * x < y, 2 * x, x)"));
static_assert(becomes(select(!(x < y) && y < z + z, x - x, x), "select(!(x < y) && y < 2 * z, 0, x)"));
static_assert(becomes(hypot(x + x, y, z - z), "hypot3(2 * x, y, 0)"));
static_assert(becomes(1_c / (0_c * x), "1 / 0"));
// Stored numbers are not told to be equal, but their places are used.
static_assert(becomes(x, "x") && simplify(2.0 * x + 3.0 * x - x)(x = 4.0) == 16.0);
static_assert(sizeof(simplify(2.0 * x + 3.0 * x)) == 2 * sizeof(double));
static_assert(same(simplify(cr::vector(x + x, x))[0_c], 2_c * x));

// Expansion.
template <class F, std::size_t N>
constexpr bool expands(const F& f, const char (&text)[N]) {
    const auto once = expand(f);
    return cr::to_string(once) == text && same(expand(once), once);
}
static_assert(expands(pow(x + y, 2_c), "x * x + 2 * x * y + y * y") && expands((x + y) * (x - y), "x * x - y * y"));
static_assert(expands(pow(x - y, 3_c), "x * x * x - 3 * x * x * y + 3 * x * y * y - y * y * y"));
static_assert(expands(1_c + x + pow(x + 1_c, 2_c), "x * x + 3 * x + 2"));
static_assert(expands((x + y) / z, "x / z + y / z") && expands(z / (x + y), "z / (x + y)"));
static_assert(expands(pow(x + y, -2_c), "1 / (x * x + 2 * x * y + y * y)"));
static_assert(expands(exp((x + 1_c) * y), "exp(x * y + y)") && expands(x * (y + z) - x * z, "x * y"));
static_assert(expands(select(x < y, pow(x + 1_c, 2_c), 0_c), "select(x < y, x * x + 2 * x + 1, 0)"));
static_assert(cr::operation_count<cr::request::values>(cr::function(expand(pow(x + 1_c, 14_c)), cr::wrt(x))).total >
              20);
static_assert(same(cr::derivative<14>(expand(pow(x + 1_c, 14_c)), x),
                   cr::expressions::constant_of<[] { return cr::core::coefficient(87178291200); }>()));

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
