// SPDX-License-Identifier: BSL-1.0
//
// Exact constants, which the optimiser knows, and stored numbers, which it must not take for equal. The three
// expressions of unequal numbers below are wrong in libraries that look at types only.
#include <chainrule/chainrule.hpp>

#include <boost/hana/integral_constant.hpp>

#include <array>
#include <limits>
#include <type_traits>

namespace {

namespace cr = chainrule;
namespace hana = boost::hana;
using namespace chainrule::literals;
using cr::derivative;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

// Exact constants have one type each, however written.
static_assert(same(2_c * x, hana::int_c<2>* x) && same(x * 2_c, x* hana::int_c<2>));
static_assert(same(18446744073709551615_c * x, std::integral_constant<unsigned long long, ~0ull>{} * x));
static_assert((x * std::integral_constant<long long, std::numeric_limits<long long>::min()>{})(x = 1.0) == -0x1p63);
static_assert(same(2_c * x, std::integral_constant<int, 2>{} * x) &&
              same(x - 2_c, x - std::integral_constant<long, 2>{}));
static_assert(same(x / 2_c, x / hana::long_c<2>) && same(2_c + x, hana::size_c<2> + x) &&
              same(pow(x, 2_c), pow(x, hana::int_c<2>)));
static_assert(same(0.5_c, 0.50_c) && same(0.5_c, 5e-1_c) && same(1000_c, 1e3_c) && same(1000_c, 1'000_c) &&
              !same(2_c, 3_c));
static_assert((hana::int_c<-3> * x)(x = 2.0) == -6.0 && (0.1_c * x)(x = 1.0) == 0.1 && (1e-3_c * x)(x = 1.0) == 1e-3);

// They round once, to the type of the computation.
static_assert((0.1_c)() == 0.1 && (0.1_c * x)(x = 1.0F) == 0.1F && (0.1_c * x)(x = 1.0L) == 0.1L);
static_assert((3.141592653589793238462643383279502884_c * x)(x = 1.0) == 3.141592653589793238462643383279502884);
static_assert((3.141592653589793238462643383279502884_c * x)(x = 1.0L) == 3.141592653589793238462643383279502884L);
static_assert((1e22_c * x)(x = 1.0) == 1e22 && (123456789012345678_c * x)(x = 1.0) == 123456789012345678.0);
static_assert((6.02214076e23_c * x)(x = 1.0) == 6.02214076e23 && (6.62607015e-34_c * x)(x = 1.0) == 6.62607015e-34);
static_assert((9007199254740993_c * x)(x = 1.0) == 9007199254740992.0); // half way, to even

// As the compiler reads the same literal, whatever its length and the type.
#define CHAINRULE_LITERAL(DIGITS)                                                                                      \
    static_assert((DIGITS##_c)() == DIGITS && (DIGITS##_c * x)(x = 1.0L) == DIGITS##L);                                \
    static_assert((DIGITS##_c * x)(x = 1.0F) == DIGITS##F)
CHAINRULE_LITERAL(0.1);
CHAINRULE_LITERAL(3.141592653589793238462643383279502884);
CHAINRULE_LITERAL(1e22);
CHAINRULE_LITERAL(1e-19);
CHAINRULE_LITERAL(6.02214076e23);
CHAINRULE_LITERAL(123456789012345678901234567890.0);
CHAINRULE_LITERAL(0x1.fffffffffffff8p3);
CHAINRULE_LITERAL(9007199254740993.0); // half way between doubles
CHAINRULE_LITERAL(9007199254740993.0000000000000000000000000000000001);
CHAINRULE_LITERAL(9007199254740992.9999999999999999999999999999999999);
CHAINRULE_LITERAL(16777217.0); // half way between floats
CHAINRULE_LITERAL(16777217.0000000000000000000000000000001);
CHAINRULE_LITERAL(
    1.00000000000000011102230246251565404236316680908203125000000000000000000000000000000000000000000000000000000001);
CHAINRULE_LITERAL(
    0.333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333333);
#undef CHAINRULE_LITERAL
static_assert((1.7976931348623157e308_c)() == 1.7976931348623157e308 &&
              (2.2250738585072014e-308_c)() == 2.2250738585072014e-308);
static_assert((4.9e-324_c)() == 4.9e-324 && (1e-310_c)() == 1e-310);

// Fractions of 64-bit integers are exact; hexadecimal, octal and binary literals are read as in C++.
static_assert(same(9.31322574615478515625e-10_c, 0x1p-30_c) && same(0x1p-3_c, 0.125_c) && same(0x.8p0_c, 0.5_c));
static_assert(same(0x10_c, 16_c) && same(0xfF_c, 255_c) && same(0b1'01_c, 5_c) && same(017_c, 15_c) &&
              same(01.5_c, 1.5_c));
static_assert(same(0.000_c, 0_c) && same(1'000.0e-3_c, 1_c));
static_assert((0xFFFF'FFFF'FFFF'FFFF_c)() == 18446744073709551615.0);

// The optimiser calculates with them.
static_assert(same(derivative(2_c * (3_c * x), x), 6_c) && same(derivative(x / 4_c, x), 0.25_c));
static_assert(same(derivative(0.1_c * x + 0.2_c * x, x), 0.3_c)); // exactly

// Expressions without stored numbers are empty.
static_assert(std::is_empty_v<decltype(log(x) + x * y - sin(y))> && std::is_empty_v<decltype(2_c * x)>);
static_assert(std::is_empty_v<decltype(hana::int_c<2> * x)> && std::is_empty_v<decltype(derivative(sin(x * y), x))>);
static_assert(std::is_trivially_copyable_v<decltype(2.0 * x)> && sizeof(2.0 * x) == sizeof(double));
static_assert(sizeof(2.0 * x + 3.0 * sin(y) * 4.0) == 3 * sizeof(double) && sizeof(2.0F * x) == sizeof(float));

// Equal types, unequal numbers.
static_assert(same(2.0 * x, 3.0 * x) && (2.0 * x)(x = 1.0) != (3.0 * x)(x = 1.0));

constexpr bool near(double found, double expected) { return found - expected < 1e-15 && expected - found < 1e-15; }

constexpr auto sines = sin(2.0 * x) + sin(3.0 * x);
static_assert(near(sines(x = 1.0), 1.0504174348855489));                    // sin 2 + sin 3
static_assert(near(derivative(sines, x)(x = 1.0), -3.8022711628956211));    // 2 cos 2 + 3 cos 3
static_assert(near(derivative<2>(sines, x)(x = 1.0), -4.9072697798415318)); // -4 sin 2 - 9 sin 3
static_assert(near(cr::gradient(sines)(x = 1.0)[x], -3.8022711628956211));
static_assert(near(cr::hessian(sines)(x = 1.0)(x, x), -4.9072697798415318));

constexpr auto quotient = x / (x + 1.0) * (x + 2.0);
static_assert(quotient(x = 1.0) == 1.5);
static_assert(derivative(quotient, x)(x = 1.0) == 1.25);     // 1 + 1 / (x + 1)^2
static_assert(derivative<2>(quotient, x)(x = 1.0) == -0.25); // -2 / (x + 1)^3
static_assert(cr::value_and_gradient(quotient)(x = 1.0).value == 1.5);
static_assert(cr::value_and_gradient(quotient)(x = 1.0)[x] == 1.25);
static_assert(function(quotient, cr::wrt(x)).hessian(1.0)[0][0] == -0.25);

constexpr auto ratio = (1.0 / (2.0 * x)) * (3.0 * x);
static_assert(ratio(x = 4.0) == 1.5);
static_assert(cr::gradient(ratio)(x = 4.0)[x] == 0.0);
static_assert(cr::gradient(ratio * x)(x = 4.0)[x] == 1.5);
static_assert(derivative(ratio * x, x)() == 1.5);
static_assert(cr::value_and_gradient(ratio)(x = 4.0).value == 1.5);

// They keep their places through operators, functions, vectors and derivatives.
constexpr auto three = 2.0 * x + 3.0 * (x - 4.0 * y);
static_assert(three(x = 10.0, y = 1.0) == 38.0);
static_assert(derivative(three, x)() == 5.0 && derivative(three, y)() == -12.0);
static_assert(cr::gradient(three)(x = 0.0, y = 0.0).values == std::array{5.0, -12.0});
constexpr auto copied = 2.0 * x;
static_assert((copied * copied)(x = 3.0) == 36.0 && derivative(copied * copied, x)(x = 3.0) == 24.0);
static_assert((copied - copied)(x = 3.0) == 0.0 && derivative(copied - copied, x)() == 0.0);
constexpr auto both = cr::function(cr::vector(2.0 * x, y, 3.0 * x), cr::wrt(x, y));
static_assert(both(1.0, 1.0) == std::array{2.0, 1.0, 3.0});
static_assert(both.jacobian(1.0, 1.0) == std::array{std::array{2.0, 0.0}, std::array{0.0, 1.0}, std::array{3.0, 0.0}});
static_assert((2.0 - x)(x = 5.0) == -3.0 && (x - 2.0)(x = 5.0) == 3.0 && (1.0 / x)(x = 4.0) == 0.25 &&
              (-(2.0 * x))(x = 1.0) == -2.0);
static_assert(pow(2.0, x)(x = 3.0) == 8.0 && pow(x, 2.0)(x = 3.0) == 9.0);

// A stored number is not a constant for the optimiser, but an expression with known numbers is a constant expression.
static_assert(!same(derivative(2.0 * x, x), 2_c) && derivative(2.0 * x, x)() == 2.0);

} // namespace
