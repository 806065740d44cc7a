// SPDX-License-Identifier: BSL-1.0
//
// The text of expressions, derivatives and programs.
#include <chainrule/chainrule.hpp>

#include <string_view>

namespace cr = chainrule;
using namespace cr::literals;
using cr::to_string;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;
constexpr auto c = cr::variable<"c">;
constexpr auto f = log(x) + x * y - sin(y);

// Leaves.
static_assert(to_string(x) == "x");
static_assert(to_string(cr::variable<"speed of light">) == "speed of light");
static_assert(to_string(2_c) == "2");
static_assert(to_string(0_c) == "0");
static_assert(to_string(cr::constant<9223372036854775807, 1>::node{}) == "9223372036854775807");
static_assert(to_string(0.5_c) == "0.5");
static_assert(to_string(0.125_c) == "0.125");
static_assert(to_string(3.14159265358979_c) == "3.14159265358979");
static_assert(to_string(0.001_c) == "0.001");
static_assert(to_string(1e-9_c) == "1e-9");
static_assert(to_string(2.5e-9_c) == "2.5e-9");
static_assert(to_string(12.75_c) == "12.75");
static_assert(to_string(1e30_c) == "1e30");
static_assert(to_string(cr::constant<1, 3>::node{}) == "1 / 3");
static_assert(to_string(cr::constant<-1, 3>::node{}) == "-1 / 3");
static_assert(to_string(cr::constant<-1, 2>::node{}) == "-0.5");
static_assert(to_string(cr::constant<1, 1 << 30>::node{}) == "1 / 1073741824"); // 21 digits
static_assert(to_string(x * boost::hana::int_c<2>) == "x * 2");

// Parentheses: kept where the tree would change, absent elsewhere.
static_assert(to_string(a + b + c) == "a + b + c");
static_assert(to_string(a + (b + c)) == "a + (b + c)");
static_assert(to_string(a - b - c) == "a - b - c");
static_assert(to_string(a - (b - c)) == "a - (b - c)");
static_assert(to_string(a - (b + c)) == "a - (b + c)");
static_assert(to_string((a - b) + c) == "a - b + c");
static_assert(to_string(a * b * c) == "a * b * c");
static_assert(to_string(a * (b * c)) == "a * (b * c)");
static_assert(to_string(a / b / c) == "a / b / c");
static_assert(to_string(a / (b * c)) == "a / (b * c)");
static_assert(to_string(a / (b / c)) == "a / (b / c)");
static_assert(to_string(a * b / c) == "a * b / c");
static_assert(to_string(a / b * c) == "a / b * c");
static_assert(to_string(a * (b / c)) == "a * (b / c)");
static_assert(to_string(a * (b + c)) == "a * (b + c)");
static_assert(to_string((a + b) * c) == "(a + b) * c");
static_assert(to_string((a + b) / (a - b)) == "(a + b) / (a - b)");
static_assert(to_string(a + b * c) == "a + b * c");
static_assert(to_string(a * b + c) == "a * b + c");
static_assert(to_string(a * b - b / c) == "a * b - b / c");

// Signs.
static_assert(to_string(-x) == "-x");
static_assert(to_string(-(-x)) == "-(-x)");
static_assert(to_string(-(a + b)) == "-(a + b)");
static_assert(to_string(-(a * b)) == "-(a * b)");
static_assert(to_string((-a) * b) == "-a * b");
static_assert(to_string((-a) + b) == "-a + b");
static_assert(to_string(-sin(x)) == "-sin(x)");
static_assert(to_string(a * -b) == "a * (-b)");
static_assert(to_string(a - -b) == "a - (-b)");
static_assert(to_string(a + (-b) * c) == "a + (-b * c)");
static_assert(to_string((a - b) * (-c)) == "(a - b) * (-c)");
static_assert(to_string(x * cr::constant<-2, 1>::node{}) == "x * (-2)");
static_assert(to_string(cr::constant<-2, 1>::node{} * x) == "-2 * x");
static_assert(to_string(x + cr::constant<-2, 1>::node{}) == "x + (-2)");
static_assert(to_string(-cr::constant<-2, 1>::node{}) == "-(-2)");
static_assert(to_string(pow(x, cr::constant<-2, 1>::node{})) == "pow(x, -2)");

// Fractions are quotients to their neighbours.
constexpr auto third = cr::constant<1, 3>::node{};
static_assert(to_string(third * x) == "1 / 3 * x");
static_assert(to_string(x * third) == "x * (1 / 3)");
static_assert(to_string(x + third) == "x + 1 / 3");
static_assert(to_string(x / third) == "x / (1 / 3)");
static_assert(to_string(-third) == "-(1 / 3)");
static_assert(to_string(x + cr::constant<-1, 3>::node{}) == "x + (-1 / 3)");
static_assert(to_string(pow(x, third)) == "pow(x, 1 / 3)");

// Functions.
static_assert(to_string(pow(x, 2_c)) == "pow(x, 2)");
static_assert(to_string(pow(x + y, x* y)) == "pow(x + y, x * y)");
static_assert(to_string(sin(x) * cos(-x) + exp(-(x * x))) == "sin(x) * cos(-x) + exp(-(x * x))");
static_assert(to_string(erf(sqrt(tanh(x)))) == "erf(sqrt(tanh(x)))");

// Stored numbers.
static_assert(to_string(2.0 * x) == "2 * x");
static_assert(to_string(2 * x) == "2 * x");
static_assert(to_string(0.1 * x + 0.1f) == "0.1 * x + 0.1");
static_assert(to_string(x - -2.5) == "x - (-2.5)");
static_assert(to_string(-2.5 * x) == "-2.5 * x");
static_assert(to_string(y - (-2.5) * x) == "y - (-2.5 * x)");
static_assert(to_string(y - 2.5 * x) == "y - 2.5 * x");
static_assert(to_string(-(-2.5 * x)) == "-(-2.5 * x)");
static_assert(to_string(pow(x, -0.5)) == "pow(x, -0.5)");
static_assert(to_string(sin(2.0 * x) + sin(3.0 * x)) == "sin(2 * x) + sin(3 * x)");
static_assert(to_string(x + -0.0) == "x + (-0.0)");
static_assert(to_string(x * 1e300 * 1e-300) == "x * 1e300 * 1e-300");
static_assert(to_string(x * 5e-324) == "x * 5e-324");
static_assert(to_string(x * -2.2250738585072014e-308) == "x * (-2.2250738585072014e-308)");
static_assert(to_string(x * 0.3) == "x * 0.3");
static_assert(to_string(x * (0.1 + 0.2)) == "x * 0.30000000000000004");
static_assert(to_string(x * 9007199254740993.0) == "x * 9007199254740992");
static_assert(to_string(x * 123456789012345678.0) == "x * 1.2345678901234568e17");
static_assert(to_string(x + (-9223372036854775807LL - 1)) == "x + (-9223372036854775808)");
static_assert(to_string(x + 18446744073709551615ull) == "x + 18446744073709551615");
static_assert(to_string(x * std::numeric_limits<double>::infinity()) == "x * inf");

// Derivatives.
static_assert(to_string(f) == "log(x) + x * y - sin(y)");
static_assert(to_string(cr::derivative(f, x)) == "1 / x + y");
static_assert(to_string(cr::derivative(f, y)) == "x - cos(y)");
static_assert(to_string(cr::derivative(f, x, y)) == "1");
static_assert(to_string(cr::derivative(f, a)) == "0");
static_assert(to_string(cr::derivative(cos(x), x)) == "-sin(x)");
static_assert(to_string(cr::derivative(erf(x), x)) == "1.1283791670955126 * exp(-(x * x))");
static_assert(to_string(cr::gradient(f)[x]) == "1 / x + y");

// Uses of the result.
constexpr auto text = to_string(f);
static_assert(std::string_view(text) == "log(x) + x * y - sin(y)");
static_assert(text == std::string_view("log(x) + x * y - sin(y)"));
static_assert("log(x) + x * y - sin(y)" == text && text != "log(x)" && text != "log(x) + x * y - sin(y) + 1");
static_assert(text == to_string(f) && text != to_string(x) && to_string(x) == to_string(x));
static_assert(text.size() == 23 && text.c_str()[23] == '\0');
constexpr std::string_view view = to_string(f); // of a constant that stays
static_assert(view.substr(0, 6) == "log(x)");

// Programs.
constexpr auto F = cr::function(f, cr::wrt(x, y));
static_assert(cr::program_text(F) == "(s1, c1) = sincos(y)\n"
                                     "t1 = log(x)\n"
                                     "t2 = x * y + t1\n"
                                     "f = t2 - s1\n"
                                     "t3 = 1 / x\n"
                                     "df/dx = t3 + y\n"
                                     "df/dy = x - c1");
static_assert(cr::operation_count(F) ==
              cr::operation_counts{.additions = 3, .divisions = 1, .fused = 1, .calls = 2, .total = 7, .cost = 89});
static_assert(cr::program_text<cr::request::values>(F) == "t1 = log(x)\n"
                                                          "t2 = sin(y)\n"
                                                          "t3 = x * y + t1\n"
                                                          "f = t3 - t2");
static_assert(cr::operation_count<cr::request::values>(F).total == 4);
static_assert(cr::program_text<cr::request::hessians>(F) == "d2f/dy2 = sin(y)\n"
                                                            "t1 = 1 / x\n"
                                                            "t2 = t1 * t1\n"
                                                            "d2f/dx2 = -t2\n"
                                                            "d2f/dx dy = 1");
static_assert(cr::operation_count<cr::request::hessians>(F) ==
              cr::operation_counts{
                  .multiplications = 1, .divisions = 1, .negations = 1, .calls = 1, .total = 4, .cost = 47});

// A vector, a parameter, a stored number, a constant fraction, and outputs that are inputs or constants.
constexpr auto k = cr::variable<"k">;
constexpr auto G = cr::function(cr::vector(k * x, 2.0 * y, x* third, 3_c), cr::wrt(x, y), cr::given(k = 0.5));
static_assert(cr::program_text(G) == "f1 = k * x\n"
                                     "f2 = n1 * y\n"
                                     "f3 = x * (1 / 3)\n"
                                     "f4 = 3\n"
                                     "df1/dx = k\n"
                                     "df1/dy = 0\n"
                                     "df2/dx = 0\n"
                                     "df2/dy = n1\n"
                                     "df3/dx = 1 / 3\n"
                                     "df3/dy = 0\n"
                                     "df4/dx = 0\n"
                                     "df4/dy = 0");

// Names of variables are not taken.
constexpr auto t1 = cr::variable<"t1">;
constexpr auto f_ = cr::variable<"f_">;
static_assert(cr::program_text<cr::request::values>(cr::function(exp(t1) * exp(f_), cr::wrt(t1, f_))) ==
              "t_1 = exp(t1)\n"
              "t_2 = exp(f_)\n"
              "f__ = t_1 * t_2");

// A power with an integer as its exponent.
static_assert(cr::to_string(pow(t1, 2)) == "pow(t1, 2)" && cr::to_string(pow(t1, -2)) == "pow(t1, -2)");
static_assert(cr::to_string(derivative(pow(t1, 2), t1)) == "2 * pow(t1, 2 - 1)");
static_assert(cr::to_string(cr::derivative<3>(pow(-t1, -4), t1)) == "-(-4 * (-4 - 1) * (-4 - 2) * pow(-t1, -4 - 3))");
static_assert(cr::to_string(sin(t1) / derivative(pow(t1, 2), t1)) == "sin(t1) / (2 * pow(t1, 2 - 1))");
static_assert(cr::to_string(cr::derivative<5>(pow(t1, 7), t1)) == "pow_by_order(5, t1, 7)");
static_assert(cr::same(cr::exact<derivative(pow(t1, 2), t1)>, pow_by_order(1_c, t1, 2_c)));

} // namespace
