// SPDX-License-Identifier: BSL-1.0
//
// Substitution and free variables: what the expressions are. tests/algebra/rewriting.cpp has values in general.
#include <chainrule/chainrule.hpp>

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

} // namespace
