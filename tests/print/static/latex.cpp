// SPDX-License-Identifier: BSL-1.0
//
// Expressions in LaTeX.
#include "../../custom_functions.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/print/latex.hpp>

#include <type_traits>

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto f = log(x) + x * y - sin(y);

#define IS(EXPRESSION, TEXT) static_assert(cr::to_latex(EXPRESSION) == TEXT)

IS(f, "\\ln\\left(x\\right) + x y - \\sin\\left(y\\right)");
IS(cr::derivative(f, x), "\\frac{1}{x} + y");

// Names.
IS(cr::variable<"alpha">, "\\alpha");
IS(cr::variable<"Omega">, "\\Omega");
IS(cr::variable<"q12">, "q_{12}");
IS(cr::variable<"q_12">, "q_{12}");
IS(cr::variable<"lambda_1">, "\\lambda_{1}");
IS(cr::variable<"sigma_max">, "\\sigma_{\\mathrm{max}}");
IS(cr::variable<"x_alpha">, "x_{\\alpha}");
IS(cr::variable<"theta2">, "\\theta_{2}");
IS(cr::variable<"rate">, "\\mathrm{rate}");
IS(cr::variable<"growth rate">, "\\text{growth rate}");
IS(cr::variable<"100 %">, "\\text{100 \\%}");
IS(cr::variable<"_x">, "\\mathrm{\\_x}");
IS(cr::variable<"alphabet">, "\\mathrm{alphabet}");
constexpr auto elements = cr::variables<"q", 13>;
IS(elements[0_c], "q_{0}");
IS(elements[12_c] * elements[12_c], "q_{12}^{2}");
constexpr auto of_words = cr::variables<"beta_hat", 1>;
IS(of_words[0_c], "\\beta_{\\mathrm{hat},0}");
constexpr auto of_digits = cr::variables<"w1", 3>;
IS(of_digits[2_c], "w_{1,2}");
IS(cr::variable<"a[]">, "\\mathrm{a[]}");
IS(cr::variable<"[0]">, "\\mathrm{[0]}");
IS(cr::variable<"a[x1]">, "\\mathrm{a[x1]}");

// Numbers.
IS(2_c * x, "2 x");
IS(0.5_c * x, "0.5 x");
IS(1_c / 3_c * x, "\\frac{1}{3} x");
IS(cr::derivative(x / 3_c, x), "\\frac{1}{3}");
IS(cr::derivative(-x / 3_c, x), "-\\frac{1}{3}");
IS(1e-7_c * x, "10^{-7} x");
IS(2.5e30_c * x, "2.5 \\cdot 10^{30} x");
IS(-1e40_c * x, "-10^{40} x");
IS(2.5 * x, "2.5 x");
IS(-2.5 * x, "-2.5 x");
IS(x * -2.5, "x \\cdot (-2.5)");
IS(x - -1e-7, "x - (-10^{-7})");
IS(x * 2.0 + 1, "x \\cdot 2 + 1");

// Sums, products, quotients and signs.
IS(x - (y - z), "x - \\left(y - z\\right)");
IS(x + (y + z), "x + \\left(y + z\\right)");
IS((x + y) + z, "x + y + z");
IS(x - -y, "x - \\left(-y\\right)");
IS(-(x + y), "-\\left(x + y\\right)");
IS((x + y) * (x - y), "\\left(x + y\\right) \\left(x - y\\right)");
IS(x*(y* z), "x \\left(y z\\right)");
IS(-x* y, "-x y");
IS(x * -y, "x \\left(-y\\right)");
IS(x * 3_c * y, "x \\cdot 3 y");
IS(2_c * pow(3_c, x), "2 \\cdot 3^{x}");
IS(2.5 * pow(3.0, x), "2.5 \\cdot 3^{x}");
IS(x* pow(y, 2_c) * pow(0.5_c, y), "x y^{2} \\cdot 0.5^{y}");
IS(2_c * cr::variable<"7">, "2 \\cdot 7");
IS(2_c * (1_c / 3_c) * x, "2 \\cdot \\frac{1}{3} x");
IS(x * (1_c / 3_c), "x \\frac{1}{3}");
IS((x + y) / (x - y), "\\frac{x + y}{x - y}");
IS(x / y / z, "\\frac{\\frac{x}{y}}{z}");
IS(x / y * z, "\\frac{x}{y} z");

// Powers and roots.
IS(x* x, "x^{2}");
IS(2_c * x * x * x * y * y, "2 x^{3} y^{2}");
IS(-x* x, "-x^{2}");
IS((x + y) * (x + y), "\\left(x + y\\right)^{2}");
IS(pow(x, y), "x^{y}");
IS(pow(x + 1_c, 2_c * y), "\\left(x + 1\\right)^{2 y}");
IS(pow(sin(x), 2_c), "\\left(\\sin\\left(x\\right)\\right)^{2}");
IS(pow(pow(x, y), z), "\\left(x^{y}\\right)^{z}");
IS(pow(2.0, x), "2^{x}");
IS(pow(x, 2), "x^{2}");
IS(fabs(x), "\\left|x\\right|");
IS(pow(-2.0, x), "(-2)^{x}");
IS(pow(1e20_c, x), "\\left(10^{20}\\right)^{x}");
IS(2_c * pow(1.5e30_c, x), "2 \\left(1.5 \\cdot 10^{30}\\right)^{x}");
IS(pow(1e-9, x) * pow(3.0, y), "(10^{-9})^{x} \\cdot 3^{y}");
IS(pow(2_c / 3_c, x), "\\left(\\frac{2}{3}\\right)^{x}");
IS(pow(2_c / 3_c * x, 2_c), "\\left(\\frac{2}{3} x\\right)^{2}");
IS(exp(-x* x / 2_c), "e^{\\frac{-x^{2}}{2}}");
IS(exp(x) * exp(x), "\\left(e^{x}\\right)^{2}");
IS(square(x) + cube(x + y), "x^{2} + \\left(x + y\\right)^{3}");
IS(sqrt(x + y) / cbrt(z), "\\frac{\\sqrt{x + y}}{\\sqrt[3]{z}}");
IS(inverse(x), "\\frac{1}{x}");

// Functions.
IS(asin(x) + tanh(y), "\\arcsin\\left(x\\right) + \\tanh\\left(y\\right)");
IS(erf(x) * normal_cdf(y), "\\operatorname{erf}\\left(x\\right) \\Phi\\left(y\\right)");
IS(log_sum_exp(x, y), "\\operatorname{log\\_sum\\_exp}\\left(x, y\\right)");
IS(abs(x) - floor(y), "\\left|x\\right| - \\left\\lfloor y\\right\\rfloor");
IS(max(x, y + 1_c), "\\max\\left(x, y + 1\\right)");
IS(clamp(x, 0_c, 1_c), "\\operatorname{clamp}\\left(x, 0, 1\\right)");
IS(jn(2_c, x), "J_{2}\\left(x\\right)");
IS(polygamma(2_c, x), "\\psi^{(2)}\\left(x\\right)");
IS(outside::gelu(x* y), "\\operatorname{gelu}\\left(x y\\right)");
IS(outside::mean(x, 2.0), "\\operatorname{power\\_mean}\\left(x, 2\\right)");

// Selections and predicates.
IS(select(x > 0_c, sqrt(x), 0_c),
   "\\begin{cases} \\sqrt{x} & \\text{if } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}");
IS(piecewise(x < 0_c, -x, x <= 1_c, x* x, 1_c),
   "\\begin{cases} -x & \\text{if } x < 0 \\\\ x^{2} & \\text{if } x \\le 1 \\\\ 1 & \\text{otherwise} \\end{cases}");
IS(1_c + select(x > 0_c, x, y),
   "1 + \\left(\\begin{cases} x & \\text{if } x > 0 \\\\ y & \\text{otherwise} \\end{cases}\\right)");
IS(!(x < y) && (x == y || y != z), "\\lnot \\left(x < y\\right) \\land \\left(x = y \\lor y \\ne z\\right)");

// A reference where there are no numbers to be written, as for to_string.
static_assert(std::is_reference_v<decltype(cr::to_latex(f))> && !std::is_reference_v<decltype(cr::to_latex(2.0 * x))>);
