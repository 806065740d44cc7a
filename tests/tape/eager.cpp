// SPDX-License-Identifier: BSL-1.0
//
// Eager numbers: one statement for each operation, conversions, and the properties of plain numbers.
#include "catch.hpp"
#include "foreign_templates.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/parallel.hpp>
#include <chainrule/tape/replay.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;
using number = tape::eager<double>;
using active = tape::active<double>;

Approx near(double v) { return Approx(v).epsilon(1e-12); }

} // namespace

static_assert(sizeof(number) == sizeof(active) && std::is_trivially_copyable_v<number>);
static_assert(std::numeric_limits<number>::epsilon() == std::numeric_limits<double>::epsilon());
static_assert(std::is_same_v<decltype(number(1.0) * number(2.0)), number>);
static_assert(std::is_same_v<decltype(1.0 - exp(number(1.0))), number>);
static_assert(std::is_same_v<decltype(number(1.0) < 2), bool>);

TEST_CASE("eagerly(f) keeps the shapes of arguments and results", "[tape]") {
    const auto polar = [](const auto& p) {
        using T = std::remove_cvref_t<decltype(p[0])>;
        static_assert(std::is_same_v<T, number> || std::is_same_v<T, cr::dual<double, 1>>);
        return std::array<T, 2>{p[0] * cos(p[1]), p[0] * sin(p[1])};
    };
    const std::array<std::array<double, 2>, 2> j = tape::jacobian(tape::eagerly(polar), std::array{2.0, 0.0});
    CHECK(j[1][1] == 2.0);
    CHECK(tape::jvp(tape::eagerly(polar), std::array{2.0, 0.0}, std::array{0.0, 1.0})[1] == 2.0);
    CHECK(tape::vjp(tape::eagerly(polar), std::array{2.0, 0.0}, std::array{0.0, 1.0})[1] == 2.0);

    const auto product = [](auto a, const auto& b) { return std::max(a * b, b); };
    CHECK(tape::gradient(tape::eagerly(product), 2.0, 3.0) == std::array{3.0, 2.0});
    CHECK(tape::hessian(tape::eagerly(product), 2.0, 3.0).hessian[0][1] == 1.0);
    const double plain[] = {2.0, 3.0};
    const auto of_array = [](auto& x) { return std::max(x[0] * x[1], x[1]); };
    CHECK(tape::gradient(tape::eagerly(of_array), plain)[0] == 3.0);
    CHECK(tape::gradient(tape::eagerly(of_array), std::span<const double>(plain))[0] == 3.0);
    CHECK(tape::gradient(tape::eagerly(of_array), std::vector<float>{2.0F, 3.0F})[0] == 3.0F);

    // A constant, and a function object with a state.
    CHECK(tape::gradient(tape::eagerly([](const auto&) { return 4.0; }), 2.0)[0] == 0.0);
    int calls = 0;
    auto counting = tape::eagerly([&calls, here = 0](const auto& x) mutable {
        calls = ++here;
        return x * x;
    });
    CHECK(tape::gradient(counting, 3.0)[0] == 6.0);
    CHECK(tape::gradient(counting, 4.0)[0] == 8.0);
    CHECK(calls == 2);
}

TEST_CASE("each operation of eager numbers is one statement", "[tape]") {
    tape::tape t;
    const number x = t.variable(2.0), y = t.variable(3.0);
    const auto recorded = [&](const auto& f) {
        const auto before = t.memory().statements;
        f();
        return t.memory().statements - before;
    };
    CHECK(recorded([&] { (void)(x * y); }) == 1);
    CHECK(recorded([&] { (void)(x * y + x); }) == 2);
    CHECK(recorded([&] { (void)(2 * x); }) == 1);
    CHECK(recorded([&] { (void)-x; }) == 1);
    CHECK(recorded([&] { (void)sin(x); }) == 1);
    CHECK(recorded([&] { (void)hypot(x, y, 1.0); }) == 1);
    CHECK(recorded([&] {
              number z = x;
              z += y;
              z *= 2.0;
              ++z;
          }) == 3);
    CHECK(recorded([&] { (void)+x, (void)(x < y), (void)(x == 2), (void)isnan(x); }) == 0);
    CHECK(recorded([&] {
              const number a = 2.0, b(3);
              const number c = sin(a) * b - pow(a, 2) / 3.0;
              CHECK_FALSE(c.is_recorded());
              CHECK(c.value() == std::sin(2.0) * 3.0 - 4.0 / 3.0);
          }) == 0);
    t.pause();
    CHECK(recorded([&] { (void)(x * y); }) == 0);
    t.resume();
    // A formula of active numbers is still one.
    const active a = x, b = y;
    CHECK(recorded([&] { (void)number(a * b + sin(a) / b); }) == 1);
    CHECK(recorded([&] { (void)((a * b + sin(a)) * x); }) == 1);
}

TEST_CASE("sections, parallel parts and loops with eager numbers", "[tape]") {
    tape::tape t;
    const active x = t.variable(2.0);
    const std::vector<number> list{x * x, x * 1.0};
    const auto cube = [](const auto& a) { return a[0] * a[1] * a[1] / a[0] * a[1]; };
    const auto before = t.memory().statements;
    const number y = tape::preaccumulate(cube, list);
    CHECK(t.memory().statements == before + 1);
    t.backward(y);
    CHECK(x.gradient() == 12.0);

    const auto scaled = [](std::size_t i, const auto& a) { return std::max(a * a * double(i), a); };
    const auto parts = tape::parallel(cr::threads(2), 4, scaled, list[0]);
    t.backward(parts[3]); // 3 x^4
    CHECK(x.gradient() == 96.0);
    t.backward(tape::parallel(cr::threads(2), 4, tape::eagerly(scaled), x)[3]);
    CHECK(x.gradient() == 12.0);

    const auto step = [](std::size_t, const auto& state, const auto& parameters) {
        auto next = state;
        next[0] = std::max(state[0] * parameters[0] / 4.0, state[0]);
        return next;
    };
    const std::vector<active> state{1.0}, parameters{list[0]};
    t.backward(tape::checkpointed(t, 10, 2, state, parameters, tape::eagerly(step))[0]); // (x^2 / 4)^10
    CHECK(x.gradient() == near(10.0));
    CHECK(tape::look_up(std::vector{1.0, 2.0, 3.0, 4.0, 5.0}, list[0]) == 5.0);
}

TEST_CASE("eager and active numbers convert into one another", "[tape]") {
    tape::tape t;
    const active x = t.variable(2.0), y = t.variable(3.0);
    number u = x;     // the same place: nothing is recorded
    active v = u * y; // the operation of an eager number
    v += u;           // an active number with an eager operand
    u *= x + y;       // an eager number with a formula
    const active w = v - u + exp(x * u) * (u + 1.0);
    CHECK(w.recorder() == &t);
    const double at_2_3 = 2.0 * 3.0 + 2.0 - 10.0 + std::exp(20.0) * 11.0;
    CHECK(w.value() == near(at_2_3));
    t.backward(w);
    // d/dx of x y + x - (x^2 + x y) + exp(x^3 + x^2 y) (x^2 + x y + 1)
    CHECK(x.gradient() == near(3 + 1 - 7 + std::exp(20.0) * (24.0 * 11.0 + 7.0)));
    const number z = sin(u) + y;
    t.backward(z);
    CHECK(z.gradient() == 1.0);
    CHECK(y.gradient() == near(1.0 + std::cos(10.0) * 2.0));
    CHECK(value(u) == 10.0);
    CHECK(cr::value(u) == 10.0);
    CHECK(cr::plain_value(u) == 10.0);
    CHECK(cr::select(u > 3.0, u, 0.0).value() == 10.0);
    CHECK(cr::select(u < 3.0, u, x * y).value() == 6.0);
    CHECK(value(cr::piecewise(u < x, u, u < 2.0 * y, x * u, 0.0)) == 0.0);
}

TEST_CASE("an eager number is its own operand, and can be moved", "[tape]") {
    tape::tape t;
    const active start = t.variable(3.0);
    number x = start;
    x = x * x;
    x *= x;
    x -= x / 2;
    x = x + x;
    number y = std::move(x);
    std::vector<number> list(3, y);
    std::swap(list[0], y);
    list.push_back(std::move(list[1]));
    t.backward(list[3]);
    CHECK(start.gradient() == 108.0);
    t.backward(std::accumulate(list.begin(), list.end(), number(0)));
    CHECK(start.gradient() == 4 * 108.0);
}

TEST_CASE("eager numbers have the properties of plain ones", "[tape]") {
    tape::tape t;
    const number x = t.variable(-2.75);
    std::ostringstream out;
    out << x << ' ' << x * 2;
    CHECK(out.str() == "-2.75 -5.5");
    CHECK((signbit(x) && isfinite(x) && isnormal(x) && !isnan(x) && !isinf(x)));
    CHECK((fpclassify(x) == FP_NORMAL && fpclassify(x - x) == FP_ZERO));
    CHECK((isnan(x / 0.0 * 0.0) && cr::isinf(x / 0.0)));
    CHECK((x < 0 && x <= -2.75 && x == -2.75 && x != 2 && 0 > x && -2 >= x && x < x + 1 && x < t.variable(0.0)));
    int exponent = 0;
    number whole;
    const number mantissa = frexp(x, &exponent), fraction = modf(x, &whole);
    CHECK((mantissa == -0.6875 && exponent == 2 && fraction == -0.75 && whole == -2));
    CHECK(ldexp(x, 2) == -11);
    CHECK((abs(x) == 2.75 && floor(x) == -3 && fmod(x, 2.0) == -0.75 && copysign(1.0, x) == -1));
    CHECK((2_c * x == -5.5 && x + boost::hana::int_c<2> == -0.75 && pow(x, boost::hana::int_c<2>) == x * x));
    CHECK((max(x, 0.0) == 0 && min(1, x) == x && clamp(x, -1, 1) == -1 && hypot(x, x, 0) == hypot(x, x)));
    t.backward(mantissa);
    CHECK(x.gradient() == 0.25);
}

TEST_CASE("std::complex of eager numbers", "[tape]") {
    const auto f = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        const std::complex<T> z(x[0], x[1]);
        std::complex<T> w = x[0] * x[1] * z + (T(1.0) - x[0]) - z / (x[0] * x[0]) + (x[1] * x[1]) / z;
        w = (w + x[0] * x[1]) * (x[0] - x[1]) - (w - exp(x[1] / 4.0)) + log(w) * sqrt(z) + std::polar(x[0], x[1]);
        return std::real(w) * std::imag(w) + std::abs(w);
    };
    const auto found = tape::value_and_gradient(tape::eagerly(f), std::array{3.0, 4.0});
    const auto exact = f(cr::dual_variables(3.0, 4.0));
    CHECK(found.value == near(exact.value));
    CHECK(found.gradient[0] == near(exact.tangents[0]));
    CHECK(found.gradient[1] == near(exact.tangents[1]));
}

TEST_CASE("kernels and expressions of eager numbers", "[tape]") {
    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    constexpr auto kernel = cr::function(a * exp(b) - sin(a), cr::wrt(a, b));
    const auto f = [&](const auto& x) { return kernel(x[0], x[1]) + kernel(x[0] * x[1], 0.5); };
    const std::array point{0.5, 1.25};
    const auto found = tape::gradient(tape::eagerly(f), point);
    const auto exact = f(cr::dual_variables(point));
    CHECK(found[0] == near(exact.tangents[0]));
    CHECK(found[1] == near(exact.tangents[1]));
}

TEST_CASE("eager numbers of float, dual numbers and active numbers", "[tape]") {
    tape::basic_tape<float> floats;
    const tape::eager<float> x = floats.variable(2.0F);
    const tape::eager<float> y = 0.1 * x + x * x;
    CHECK(y.value() == static_cast<float>(0.1 * 2.0F) + 4.0F);
    floats.backward(y);
    CHECK(x.gradient() == static_cast<float>(0.1) + 4.0F);

    tape::tape t;
    tape::basic_tape<active> outer;
    const active u = t.variable(2.0);
    const tape::eager<active> v = outer.variable(u);
    const tape::eager<active> w = foreign::larger_product(v * v, u * v) * number(u) + u;
    outer.backward(w); // of v^3 u^2 + u
    const active slope = v.gradient();
    CHECK(slope.value() == 3 * 4.0 * 4.0);
    t.backward(slope);
    CHECK(u.gradient() == 3 * 4 * 8.0); // v is u
}
