// SPDX-License-Identifier: BSL-1.0
//
// Values and derivatives in constant expressions, on every compiler. Reference numbers are from mpmath (40 digits), at
// x = 5/8, y = 9/4. tests/property/functions.hpp covers the whole domains at run time.
#include <chainrule/chainrule.hpp>

#include <array>
#include <limits>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

/// Whether two numbers agree up to a few roundings of numbers of size 1 or more.
constexpr bool near(double found, double expected) {
    const double difference = found - expected, size = expected < 0 ? -expected : expected;
    return (difference < 0 ? -difference : difference) <=
           4 * std::numeric_limits<double>::epsilon() * (size < 1 ? 1 : size);
}

/// The value and the first three derivatives at x = 5/8.
template <class E>
constexpr bool check(const E& f, double value, double first, double second, double third) {
    constexpr double at = 0.625;
    return near(f(x = at), value) && near(derivative(f, x)(x = at), first) &&
           near(derivative<2>(f, x)(x = at), second) && near(derivative<3>(f, x)(x = at), third) &&
           near(cr::gradient(f)(x = at)[x], first) && near(cr::hessian(f)(x = at)(x, x), second) &&
           near(function(f, cr::wrt(x)).hessian(at)[0][0], second) &&
           near(function(derivative(f, x), cr::wrt(x)).hessian(at)[0][0], third);
}

static_assert(check(exp(x), 1.868245957432222406501836, 1.868245957432222406501836, 1.868245957432222406501836,
                    1.868245957432222406501836));
static_assert(check(log(x), -0.470003629245735553650937, 1.6, -2.56, 8.192));
static_assert(check(sqrt(x), 0.7905694150420948329997234, 0.6324555320336758663997787, -0.505964425626940693119823,
                    1.214314621504657663487575));
static_assert(check(sin(x), 0.5850972729404621548053993, 0.8109631195052179021895348, -0.5850972729404621548053993,
                    -0.8109631195052179021895348));
static_assert(check(cos(x), 0.8109631195052179021895348, -0.5850972729404621548053993, -0.8109631195052179021895348,
                    0.5850972729404621548053993));
static_assert(check(tan(x), 0.7214844409909044199895179, 1.520539798591957842081216, 2.194091613183082198784633,
                    7.790088480244598949249875));
static_assert(check(tanh(x), 0.5545997223493822939990391, 0.6924191479699880696307533, -0.7680309344271024761742939,
                    -0.1069890669729531224090816));
static_assert(check(erf(x), 0.6232408821884179724486405, 0.7634995357606048850874685, -0.9543744197007561063593356,
                    -0.3340310468952646372257675));
static_assert(check(erfc(x), 0.3767591178115820275513595, -0.7634995357606048850874685, 0.9543744197007561063593356,
                    0.3340310468952646372257675));

/// The value, the gradient and the Hessian at x = 5/8, y = 9/4.
template <class E>
constexpr bool check(const E& f, double value, double by_x, double by_y, double by_xx, double by_xy, double by_yy) {
    const auto r = cr::value_and_gradient(f)(y = 2.25, x = 0.625);
    const auto h = cr::hessian(f)(x = 0.625, y = 2.25);
    return near(r.value, value) && near(r[x], by_x) && near(r[y], by_y) && near(h(x, x), by_xx) &&
           near(h(x, y), by_xy) && near(h(y, x), by_xy) && near(h(y, y), by_yy);
}

static_assert(check(pow(x, y), 0.3473201972732271096143401, 1.250352710183617594611624, -0.1632417532287615670310098,
                    2.500705420367235189223249, -0.03195799598637826592869101, 0.0767242164619547062889207));
static_assert(check(xlogy(x, y), 0.5068313851352054774725164, 0.8109302162163287639560262, 0.2777777777777777777777778,
                    0, 0.4444444444444444444444444, -0.1234567901234567901234568));

// Powers in all mixes of expression, number and exact constant, at x = 5/8.
static_assert(near(pow(x, 2.25)(x = 0.625), 0.3473201972732271096143401));
static_assert(near(pow(x, 2.25_c)(x = 0.625), 0.3473201972732271096143401));
static_assert(near(pow(0.625, y)(y = 2.25), 0.3473201972732271096143401));
static_assert(near(pow(0.625_c, y)(y = 2.25), 0.3473201972732271096143401));
static_assert(near(derivative(pow(x, 2.25), x)(x = 0.625), 1.250352710183617594611624));
static_assert(near(derivative(pow(x, 2.25_c), x)(x = 0.625), 1.250352710183617594611624));
static_assert(near(derivative(pow(0.625, y), y)(y = 2.25), -0.1632417532287615670310098));
static_assert(near(derivative(pow(0.625_c, y), y)(y = 2.25), -0.1632417532287615670310098));
static_assert(derivative(pow(x, 3), x)(x = 2.0) == 12.0);
static_assert(derivative(pow(x, 3_c), x)(x = 2.0) == 12.0);
static_assert(derivative<2>(pow(x, -1_c), x)(x = 2.0) == 0.25);
static_assert(pow(x, 65_c)(x = 1.0) == 1.0 && derivative(pow(x, 65_c), x)(x = 1.0) == 65.0);
static_assert(derivative(pow(x, 20_c), x)(x = 2.0) == 20.0 * 524288.0);
static_assert(derivative(pow(x, 64_c), x)(x = 2.0) == 64.0 * 9223372036854775808.0);

// A composite of everything: log(x) + x y - sin(y) at (2, 5).
constexpr auto f = log(x) + x * y - sin(y);
static_assert(near(f(x = 2.0, y = 5.0), 11.652071455223084));
static_assert(cr::gradient(f)(x = 2.0, y = 5.0)[x] == 5.5);
static_assert(near(cr::gradient(f)(x = 2.0, y = 5.0)[y], 1.7163378145367738));
static_assert(cr::hessian(f)(x = 2.0, y = 5.0)(x, x) == -0.25);

// Powers with an integer as their exponent have derivatives of every order everywhere.
static_assert(pow(x, 2)(x = 3.0) == 9.0 && pow(x, -3)(x = 2.0) == 0.125 && pow(x, 0)(x = 0.0) == 1.0);
static_assert(derivative(pow(x, 2), x)(x = 3.0) == 6.0 && derivative(pow(x, 0), x)(x = 0.0) == 0.0);
static_assert(derivative<2>(pow(x, 2), x)(x = 0.0) == 2.0 && derivative<3>(pow(x, 2), x)(x = 0.0) == 0.0);

// Functions of the C library, and what they make of NaN.
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static_assert(fmax(x, y)(x = nan, y = 2.0) == 2.0 && fmin(x, y)(x = 1.0, y = nan) == 1.0 && fabs(x)(x = -2.0) == 2.0);
static_assert(cr::function(fmax(x, y), cr::wrt(x, y)).gradient(nan, 2.0) == std::array{0.0, 1.0});
static_assert(cr::function(fmin(x, y), cr::wrt(x, y)).gradient(3.0, nan) == std::array{1.0, 0.0});
static_assert(cr::function(fmin(x, y), cr::wrt(x, y)).gradient(3.0, 3.0) == std::array{0.5, 0.5});
static_assert(cr::function(fdim(x, y), cr::wrt(x, y)).gradient(3.0, 1.0) == std::array{1.0, -1.0});
static_assert(fdim(x, y)(x = 1.0, y = 3.0) == 0.0 && logb(x)(x = 10.0) == 3.0);
static_assert(rint(x)(x = -2.5) == -2.0 && rint(x)(x = 0.75) == 1.0 && nearbyint(x)(x = 3.5) == 4.0 &&
              rint(x)(x = nan) != 0.0);
static_assert(ldexp(x, 3)(x = 1.5) == 12.0 && scalbn(x, -1)(x = 1.5) == 0.75 && ldexp(x, -1074)(x = 1.0) == 0x1p-1074);

} // namespace
