// SPDX-License-Identifier: BSL-1.0
//
// Derivatives must be the expressions that a person would write. They are compared by structure, that is, by type.
// tests/kernel/static/values.cpp compares numbers, and tests/property/fuzz.cpp those of random expressions.
#include <chainrule/chainrule.hpp>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;
using cr::derivative;
using cr::same;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
constexpr auto f = log(x) + x * y - sin(y);

// -2_c is the operation on a constant; these are constants.
template <int N>
constexpr auto minus = typename cr::constant<-N, 1>::node{};
constexpr cr::core::coefficient two_over_sqrt_pi() { return cr::irrational::two_over_sqrt_pi; }
constexpr cr::core::coefficient minus_two_over_sqrt_pi() { return -cr::irrational::two_over_sqrt_pi; }

// The example of the documentation.
static_assert(same(derivative(f, x), 1_c / x + y));
static_assert(same(derivative(f, y), x - cos(y)));
static_assert(same(derivative(f, x, y), 1_c));
static_assert(same(derivative(f, y, x), 1_c));
static_assert(same(derivative<2>(f, y), sin(y)));

// Variables and constants.
static_assert(same(derivative(x, x), 1_c));
static_assert(same(derivative(y, x), 0_c));
static_assert(same(derivative(2_c, x), 0_c));
static_assert(same(derivative(x + y, x), 1_c));
static_assert(same(derivative(x - y, y), minus<1>));
static_assert(same(derivative(f, z), 0_c));
static_assert(!same(x, y) && !same(x + y, y + x) && same(x, cr::variable<"x">));

// Rules of calculation.
static_assert(same(derivative(x * y, x), y));
static_assert(same(derivative(x * x, x), 2_c * x));
static_assert(same(derivative(x * x * x, x), 3_c * x * x));
static_assert(same(derivative(x / y, x), 1_c / y));
static_assert(same(derivative(y / x, x), -(y / (x * x))));
static_assert(same(derivative(1_c / (x * x), x), minus<2> / (x * x * x)));
static_assert(same(derivative(pow(x, minus<2>), x), minus<2> / (x * x * x)));
static_assert(same(derivative(x * y + x * z, x), y + z));
static_assert(same(derivative(x * y * z, y), x* z));
static_assert(same(derivative(x * y * z, x, y, z), 1_c));

// Like terms are collected, and what cancels is gone.
static_assert(same(derivative(x - x, x), 0_c));
static_assert(same(derivative(x / x, x), 0_c));
static_assert(same(derivative(x * y - y * x, x), 0_c));
static_assert(same(derivative(0.5_c * x * x, x), x));
static_assert(same(derivative(x * 0_c, x), 0_c));
static_assert(same(derivative(-(-x), x), 1_c));
static_assert(same(derivative(100_c * x * x, x), 200_c * x));

// Every function.
static_assert(same(derivative(exp(x), x), exp(x)));
static_assert(same(derivative(log(x), x), 1_c / x));
static_assert(same(derivative(sqrt(x), x), 1_c / (2_c * sqrt(x))));
static_assert(same(derivative(sin(x), x), cos(x)));
static_assert(same(derivative(cos(x), x), -sin(x)));
static_assert(same(derivative(tan(x), x), 1_c + tan(x) * tan(x)));
static_assert(same(derivative(tanh(x), x), 1_c - tanh(x) * tanh(x)));
static_assert(same(derivative(erf(x), x), cr::expressions::constant_of<two_over_sqrt_pi>() * exp(-(x * x))));
static_assert(same(derivative(erfc(x), x), cr::expressions::constant_of<minus_two_over_sqrt_pi>() * exp(-(x * x))));
static_assert(same(derivative(pow(x, y), x), y* pow(x, y - 1_c)));
static_assert(same(derivative(pow(x, y), y), xlogy(pow(x, y), x)));
static_assert(same(derivative(xlogy(x, y), x), log(y)));
static_assert(same(derivative(xlogy(x, y), y), x / y));

// Powers with exact exponents.
static_assert(same(derivative(pow(x, 2_c), x), 2_c * x));
static_assert(same(derivative(pow(x, 3_c), x), 3_c * x * x));
// High powers of exact exponents stay one factor.
static_assert(same(derivative(pow(x, 20_c), x), 20_c * pow(x, 19_c)));
static_assert(same(derivative(pow(x, 100_c), x), 100_c * pow(x, 99_c)));
static_assert(same(derivative(pow(x + y, 64_c), x), 64_c * pow(x + y, 63_c)));
static_assert(same(derivative(y * pow(x, 20_c), x), 20_c * y * pow(x, 19_c)));
static_assert(same(derivative(pow(y, 20_c) * pow(x, 20_c), x), 20_c * pow(y, 20_c) * pow(x, 19_c)));
static_assert(same(derivative(y * pow(sin(x), 20_c), x), 20_c * y * pow(sin(x), 19_c) * cos(x)));
static_assert(same(derivative(pow(x, 20_c) / y, x), 20_c * pow(x, 19_c) / y));
static_assert(same(derivative<2>(y * pow(x, minus<20>), x), 420_c * y / pow(x, 22_c)));
static_assert(same(derivative<12>(pow(x, 13_c), x), 6227020800_c * x));
static_assert(same(derivative<3>(pow(x, minus<20>), x), minus<9240> / pow(x, 23_c)));
static_assert(same(derivative(pow(x, 1_c), x), 1_c));
static_assert(same(derivative(pow(x, 0_c), x), 0_c));
static_assert(same(derivative(pow(x, 0.5_c), x), derivative(sqrt(x), x)));
static_assert(same(derivative(pow(x, 1.5_c), x), 1.5_c * sqrt(x)));

// The chain rule.
static_assert(same(derivative(exp(2_c * x), x), 2_c * exp(2_c * x)));
static_assert(same(derivative(sin(x * y), x), y* cos(x* y)));
static_assert(same(derivative(log(x * y), x), 1_c / x));
static_assert(same(derivative(sqrt(x * x + y * y), x), x / sqrt(x * x + y * y)));

// Higher orders.
static_assert(same(derivative<0>(f, x), f));
static_assert(same(derivative<1>(f, x), derivative(f, x)));
static_assert(same(derivative<2>(sin(x), x), -sin(x)));
static_assert(same(derivative<3>(sin(x), x), -cos(x)));
static_assert(same(derivative<4>(sin(x), x), sin(x)));
static_assert(same(derivative<4>(x * x * x * x, x), 24_c));
static_assert(same(derivative<5>(x * x * x * x, x), 0_c));
static_assert(same(derivative<20>(exp(x), x), exp(x)));
static_assert(same(derivative(x * x * y, x, y), 2_c * x));
static_assert(same(derivative(derivative(x * x * y, x), y), 2_c * x));

// Of vectors and matrices, element by element.
constexpr auto position = chainrule::vector(cos(x), sin(x), x* x* y, exp(x), 1_c);
static_assert(same(derivative(position, x)[2_c], 2_c * x * y));
static_assert(same(derivative(position, x, y)[2_c], 2_c * x));
static_assert(same(derivative<2>(position, x)[0_c], -cos(x)));
static_assert(same(derivative<3>(position, x)[4_c], 0_c));
static_assert(std::is_same_v<decltype(derivative<0>(position, x)), std::remove_const_t<decltype(position)>>);
constexpr auto turned = chainrule::matrix(chainrule::vector(cos(x), -sin(x)), chainrule::vector(sin(x), cos(x)));
static_assert(same(derivative(turned, x)[0_c][1_c], -cos(x)));
static_assert(same(derivative<2>(turned, x)[1_c][0_c], -sin(x)));
static_assert(derivative(turned, x)(x = 0.0) == std::array{std::array{0.0, -1.0}, std::array{1.0, 0.0}});

} // namespace
