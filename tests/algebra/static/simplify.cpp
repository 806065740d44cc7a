// SPDX-License-Identifier: BSL-1.0
//
// Simplification and expansion: what the expressions are. tests/algebra/rewriting.cpp has values in general.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

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
// What is finite stays a question, although x - x is 0.
static_assert(becomes(select(isfinite(x + x), y, x), "select(2 * x - 2 * x == 2 * x - 2 * x, y, x)"));
static_assert(becomes(select(isinf(x), y, x), "select(x == x && x - x != x - x, y, x)"));
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

} // namespace
