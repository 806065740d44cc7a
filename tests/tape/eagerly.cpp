// SPDX-License-Identifier: BSL-1.0
//
// Templates that take no formulas on eager numbers, by all calls of the tape.
#include "catch.hpp"
#include "foreign_templates.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>
#include <chainrule/tape/sparse.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;

const std::vector<double> at{1.5, 2.5, 0.75};

Approx near(double v) { return Approx(v).epsilon(1e-12); }

template <class F>
std::vector<double> slopes_by_dual_numbers(const F& f, const std::vector<double>& x) {
    const auto directions = cr::dual_variables(std::array{x[0], x[1], x[2]});
    const auto y = f(std::vector(directions.begin(), directions.end()));
    return {y.tangents.begin(), y.tangents.end()};
}

// A quaternion as Boost.QVM has it: it converts to any type, which the body then refuses, and scales by what is not
// one.
namespace quaternions {

template <class T>
struct quaternion {
    std::array<T, 4> a;
    template <class R>
    operator R() const {
        R other;
        for (std::size_t i = 0; i < 4; ++i) other.a[i] = a[i];
        return other;
    }
};
template <class Q>
inline constexpr bool is_quaternion = false;
template <class T>
inline constexpr bool is_quaternion<quaternion<T>> = true;
template <class Q, class S>
requires(is_quaternion<Q> && !is_quaternion<S>)
Q operator*(const Q& q, const S& s) {
    return {{q.a[0] * s, q.a[1] * s, q.a[2] * s, q.a[3] * s}};
}

} // namespace quaternions

} // namespace

TEST_CASE("a class that converts to any type is not a number", "[tape]") {
    const auto scaled = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        const quaternions::quaternion<T> q{{x[0], x[1], x[2], T(x[0] * x[1])}};
        const quaternions::quaternion<T> r = q * x[2];
        return T(r.a[0] + r.a[3]);
    };
    // (a + a b) c at a = 1.5, b = 2.5, c = 0.75
    const std::vector expected{3.5 * 0.75, 1.5 * 0.75, 1.5 * 3.5};
    CHECK(tape::gradient(scaled, at) == expected);
    CHECK(tape::gradient(tape::eagerly(scaled), at) == expected);
    CHECK(tape::record(scaled, at).gradient(at) == expected);
    CHECK(tape::jvp(scaled, at, std::vector{0.0, 1.0, 0.0}) == expected[1]);
}

TEST_CASE("a template may ask for the class of a number, and a recording holds as long as it is the same", "[tape]") {
    const auto ratio = [](const auto& x) {
        using std::fpclassify;
        using T = std::remove_cvref_t<decltype(x[0])>;
        return fpclassify(x[0]) == FP_ZERO ? T(1.0) : T(sin(x[0]) / x[0]);
    };
    const std::array one{1.0}, zero{0.0};
    const double slope = std::cos(1.0) - std::sin(1.0);
    CHECK(tape::gradient(ratio, one)[0] == near(slope));
    CHECK(tape::gradient(tape::eagerly(ratio), one)[0] == near(slope));
    CHECK(tape::jvp(ratio, one, one) == near(slope));
    CHECK(tape::gradient(ratio, zero)[0] == 0.0);
    auto r = tape::record(ratio, one);
    CHECK(r.gradient(one)[0] == near(slope));
    CHECK_THROWS_AS(r(zero), tape::comparison_changed);
}

TEST_CASE("templates that take no formulas are differentiated with eager numbers", "[tape]") {
    const auto exact = slopes_by_dual_numbers(foreign::all, at);
    const auto found = tape::value_and_gradient(tape::eagerly(foreign::all), at);
    CHECK(found.value == foreign::all(at));
    for (std::size_t i = 0; i < at.size(); ++i) CHECK(found.gradient[i] == near(exact[i]));
}

TEST_CASE("eagerly(f) serves every call of the tape", "[tape]") {
    const auto f = tape::eagerly(foreign::few);
    const auto exact = slopes_by_dual_numbers(foreign::few, at);
    const std::vector direction{1.0, -0.5, 2.0};
    const double slope = std::inner_product(exact.begin(), exact.end(), direction.begin(), 0.0);
    CHECK(tape::jvp(f, at, direction) == near(slope));
    CHECK(tape::vjp(f, at, 2.0)[1] == near(2 * exact[1]));
    std::vector<double> to(3);
    CHECK(tape::value_and_gradient(f, at, to) == foreign::few(at));
    CHECK(to[2] == near(exact[2]));

    auto recorded = tape::record(foreign::few, at);
    const auto second = recorded.hessian(at).hessian;
    const auto h = tape::hessian(f, at);
    CHECK(h.value == foreign::few(at));
    const auto product = tape::hvp(f, at, direction);
    for (std::size_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            CHECK(h.hessian(i, j) == near(second(i, j)).margin(1e-10));
            sum += second(i, j) * direction[j];
        }
        CHECK(product[i] == near(sum));
    }
    // Reverse over reverse, with eager numbers inside, outside and in both.
    const auto first = [&](const auto& x) { return tape::gradient(f, x)[0]; };
    CHECK(tape::gradient(first, at)[1] == near(second(0, 1)));
    CHECK(tape::gradient(tape::eagerly(first), at)[1] == near(second(0, 1)));
    const auto active_inside = [](const auto& x) {
        using T = std::remove_cvref_t<decltype(x[0])>;
        const auto inner = [&](const auto& y) { return sin(y * x[0]) * y / x[1] + (x[0] < y ? x[0] : T(x[1])); };
        return tape::gradient(inner, x[1])[0];
    };
    CHECK(tape::gradient(tape::eagerly(active_inside), at)[0] ==
          near(tape::jvp(active_inside, at, std::vector{1., 0., 0.})));
    CHECK(tape::sparse_hessian(f, at)(1, 2) == near(second(1, 2)));
    CHECK(tape::record(f, at).gradient(at)[0] == near(exact[0]));
}
