// SPDX-License-Identifier: BSL-1.0
//
// The operations of relaxed values, counted: shared reciprocals, constants instead of divisions, common factors, values
// and derivatives from each other. What is not relaxed stays as written.
#include <chainrule/chainrule.hpp>
#include <chainrule/text.hpp>

#include <string_view>

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr unsigned values = cr::request::values, gradient = values | cr::request::jacobians;

template <unsigned Request, class F>
constexpr auto counted(const F& f) {
    return cr::operation_count<Request>(f);
}

// One reciprocal serves all quotients by a number and its multiples.
constexpr auto quotients = cr::vector(x / z, y / z, x / (2_c * z));
static_assert(counted<values>(cr::function(quotients, cr::wrt(x, y, z))).divisions == 3);
static_assert(counted<values>(cr::function(quotients, cr::wrt(x, y, z), cr::relaxed())).divisions == 1);
static_assert(counted<gradient>(cr::function(quotients, cr::wrt(x, y, z), cr::relaxed())).divisions == 1);
static_assert(counted<gradient>(cr::function(cr::relaxed(quotients), cr::wrt(x, y, z))) ==
              counted<gradient>(cr::function(quotients, cr::wrt(x, y, z), cr::relaxed())));
// A quotient by a constant is a product.
static_assert(counted<values>(cr::function(cr::relaxed(x / 3_c), cr::wrt(x))).divisions == 0);
static_assert(counted<values>(cr::function(cr::relaxed(x / sqrt(2_c)), cr::wrt(x))).calls == 0);
// Common factors, like terms, quotients that cancel.
static_assert(counted<values>(cr::function(cr::relaxed(x / z + y / z), cr::wrt(x, y, z))).total == 2);
static_assert(counted<values>(cr::function(cr::relaxed(x + y - x), cr::wrt(x, y))).total == 0);
static_assert(counted<values>(cr::function(cr::relaxed(x * y / y), cr::wrt(x, y))).total == 0);
static_assert(counted<values>(cr::function(cr::relaxed((x + y) * z / (x + y)), cr::wrt(x, y, z))).total == 0);
// Half the harmonic mean: one division, shared with the gradient.
constexpr auto mean = x * y / (x + y);
static_assert(counted<gradient>(cr::function(mean, cr::wrt(x, y))).divisions == 2);
static_assert(counted<gradient>(cr::function(mean, cr::wrt(x, y), cr::relaxed())).divisions == 1);
static_assert(counted<gradient>(cr::function(mean, cr::wrt(x, y), cr::relaxed())).cost <
              counted<gradient>(cr::function(mean, cr::wrt(x, y))).cost);

// Only what is marked: the sum, and the other quotient, are as written.
constexpr auto partly = cr::function(cr::relaxed(x / z) + (y / z + 1_c), cr::wrt(x, y, z));
static_assert(counted<values>(partly).divisions == 2);
// What is needed as written too is computed once.
static_assert(counted<values>(cr::function(cr::vector(x / z, cr::relaxed(x / z)), cr::wrt(x, z))).divisions == 1);
// The sums share 3 exp(y / (x + 1)), and are divided by x + 1 alone: they stay finite where y + 1 is 0.
constexpr auto x_and_one = x + 1_c;
constexpr auto y_and_one = y + 1_c;
constexpr auto shared = 3_c * exp(y / x_and_one);
constexpr auto divided_alone = cr::vector(x / (x_and_one * y_and_one), y / (x_and_one * y_and_one) + y / y_and_one,
                                          shared + x * x * y, shared + x * y * y, shared + x * y);
static_assert(counted<values>(cr::function(divided_alone, cr::wrt(x, y), cr::relaxed())).divisions == 2);
// A mark changes nothing else: neither a variable nor a call takes an operation more.
static_assert(counted<values>(cr::function(sin(cr::relaxed(x)), cr::wrt(x))).total == 1);

// Code is no different, and what it marks is its own.
constexpr auto Code = cr::function([](auto u, auto v, auto w) { return u / w + v / w; }, cr::relaxed());
static_assert(counted<values>(Code).total == 2);
constexpr auto Marked = cr::function([](auto u, auto v, auto w) { return relaxed(u / w + v / w) * u; });
static_assert(counted<values>(Marked).total == 3);
constexpr auto Array = cr::function<3>([](const auto& u) { return u[0] / u[2] + u[1] / u[2]; }, cr::relaxed());
static_assert(counted<values>(Array).total == 2);
constexpr auto Pointers = cr::function<cr::inputs<3>, cr::outputs<2>>(
    [](const auto* u, auto* r) { r[0] = u[0] / u[2], r[1] = u[1] / u[2]; }, cr::relaxed());
static_assert(counted<values>(Pointers).divisions == 1);
constexpr auto Named = cr::function([](auto u, auto v, auto w) { return u / w + v / w; }, cr::relaxed(), cr::wrt(x, y),
                                    cr::given(z = 2.0));
static_assert(counted<values>(Named).total == 2 && Named(1.0, 2.0) == 1.5);

// Derivatives are those of the value, as expressions too; the mark stays in the text.
static_assert(cr::same(cr::derivative(cr::relaxed(x * y), x), y));
static_assert(cr::to_string(cr::derivative(exp(cr::relaxed(x * y)), x)) == "y * exp(relaxed(x * y))");
static_assert(cr::to_string(cr::relaxed(x / y) + 1_c) == "relaxed(x / y) + 1");
static_assert(std::string_view(cr::to_latex(cr::relaxed(x / y) * z)) == std::string_view(cr::to_latex(x / y * z)));
static_assert(std::string_view(cr::to_latex(cr::relaxed(x + y) * z)) == std::string_view(cr::to_latex((x + y) * z)));

// Numbers are what they are.
static_assert(cr::relaxed(2.5) == 2.5);
