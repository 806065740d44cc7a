// SPDX-License-Identifier: BSL-1.0
//
// Numbers of Boost.Multiprecision, whose operators may return expressions.
#include "foreign_numbers.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace mp = boost::multiprecision;
using foreign_numbers::x;

TEST_CASE("multiprecision numbers go through kernels, dual numbers and tapes, also where their sums are expressions",
          "[types]") {
    foreign_numbers::foreign<mp::number<mp::cpp_dec_float<50>, mp::et_on>>(1e-13).check();
}

TEST_CASE("multiprecision numbers keep their digits", "[types]") {
    using number = mp::cpp_bin_float_50;
    const number a = number(1) / 3;
    tape::basic_tape<number> t;
    const auto v = t.variable(a);
    const tape::active<number> r = exp(v) * v;
    t.backward(r);
    const number should = exp(a) * (1 + a);
    CHECK(abs(v.gradient() - should) <= 1e-48 * should);
    CHECK(abs((exp(cr::dual<number>::variable(a)) * a).tangents[0] - exp(a) * a) <= 1e-48 * should);
    CHECK(abs(cr::gradient(exp(x) * x)(x = a)[x] - should) <= 1e-48 * should);
}

TEMPLATE_TEST_CASE("tapes in one call differentiate at multiprecision numbers", "[types]", mp::cpp_bin_float_50,
                   (mp::number<mp::cpp_dec_float<50>, mp::et_off>)) {
    using number = TestType;
    const auto f = [](const auto& u) { return u[0] * u[1] + sin(u[0]) * exp(u[1]); };
    const number a = number(1) / 3, b = number(2) / 7;
    const auto gradient = tape::gradient(f, std::vector<number>{a, b});
    const number slope = b + cos(a) * exp(b), curvature = 1 + cos(a) * exp(b);
    CHECK(abs(gradient[0] - slope) <= 1e-48 * slope);
    CHECK(abs(tape::hessian(f, std::array{a, b}).hessian[0][1] - curvature) <= 1e-48 * curvature);
}

TEMPLATE_TEST_CASE("decimals are exact in multiprecision numbers", "[types]", mp::cpp_bin_float_50,
                   (mp::number<mp::cpp_dec_float<50>, mp::et_on>)) {
    using number = TestType;
    using namespace cr::literals;
    constexpr auto traced = cr::function([](auto u) { return 0.1 * u * u + u / 7; });
    constexpr auto expression = cr::function(0.1_c * x * x + x / 7_c, cr::wrt(x));
    const number a = number(1) / 3, value = a * a / 10 + a / 7, slope = a / 5 + number(1) / 7;
    CHECK(abs(traced(a) - value) <= 1e-48 * value);
    CHECK(abs(traced.gradient(a)[0] - slope) <= 1e-48 * slope);
    CHECK(abs(expression(a) - value) <= 1e-48 * value);
    CHECK(abs(expression.gradient(a)[0] - slope) <= 1e-48 * slope);
    const auto root = cr::function([](auto u) { return sqrt(decltype(u)(2)) * u; })(a);
    CHECK(abs(root - sqrt(number(2)) * a) <= 1e-48 * root);
    // Irrational constants of derivatives are double words.
    constexpr auto bell = cr::function([](auto u) { return erf(u); });
    const number density = 2 / sqrt(boost::math::constants::pi<number>()) * exp(-a * a);
    CHECK(abs(bell.gradient(a)[0] - density) <= 1e-31 * density);
}

TEMPLATE_TEST_CASE("newton finds roots with all digits of multiprecision numbers", "[types]", mp::cpp_bin_float_50,
                   (mp::number<mp::cpp_dec_float<50>, mp::et_on>)) {
    using number = TestType;
    constexpr auto y = cr::variable<"y">;
    const auto root = cr::newton_and_gradient(x * x - y, x, number(1), y = number(2));
    const number should = sqrt(number(2));
    CHECK(abs(root.value - should) <= 1e-48 * should);
    CHECK(abs(root[y] - 1 / (2 * should)) <= 1e-48 * should);
    const auto carried = cr::newton(x * x - y, x, 1.0, y = cr::dual<number>::variable(number(2)));
    CHECK(abs(carried.tangents[0] - 1 / (2 * should)) <= 1e-48 * should);
    // Near a double root, steps stop shrinking at the square root of the precision. (cpp_dec_float has guard digits,
    // for which 100 steps do not suffice.)
    if constexpr (std::same_as<number, mp::cpp_bin_float_50>)
        CHECK(abs(cr::newton(x * x - 2 * x + 1, x, number(3)) - 1) <= 1e-23);
    CHECK(!cr::try_newton(x * x + 1, x, number(3)).converged());
}
