// SPDX-License-Identifier: BSL-1.0
//
// Roots have the derivatives of the implicit function theorem, in plain, dual and active numbers, and newton() says why
// it finds none. tests/algebra/static/newton.cpp has roots in constant expressions.
#include "catch.hpp"
#include "../sentence.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>

namespace {

namespace cr = chainrule;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

// Kepler's equation, with the derivatives of its root in closed form.
constexpr auto e = cr::variable<"e">;
constexpr auto mean = cr::variable<"mean">;
constexpr auto kepler = x - e * sin(x) - mean;

TEST_CASE("roots have the derivatives of the implicit function theorem") {
    for (const double eccentricity : {0.0, 0.1, 0.5, 0.9, 0.99})
        for (const double anomaly : {-3.0, -0.5, 0.01, 0.7, 2.0, 3.1}) {
            const double start = anomaly + (anomaly < 0 ? -eccentricity : eccentricity);
            const auto root = cr::newton_and_gradient(kepler, x, start, e = eccentricity, mean = anomaly);
            const double slope = 1 / (1 - eccentricity * std::cos(root.value)), by_e = std::sin(root.value) * slope;
            CHECK(std::abs(root.value - eccentricity * std::sin(root.value) - anomaly) < 2e-15);
            CHECK(root[mean] == Approx(slope).epsilon(1e-14));
            CHECK(root[e] == Approx(by_e).epsilon(1e-14));
            CHECK(cr::newton(kepler, x, start, e = eccentricity, mean = anomaly) == root.value);
            CHECK(cr::implicit_derivative(kepler, x, e)(e = eccentricity, x = root.value) == Approx(by_e));

            const auto parameters = cr::dual_variables(eccentricity, anomaly);
            const auto moved = cr::newton(kepler, x, start, e = parameters[0], mean = parameters[1]);
            CHECK(moved.value == Approx(root.value).epsilon(1e-15));
            CHECK(moved.tangents[0] == Approx(by_e).epsilon(1e-13));
            CHECK(moved.tangents[1] == Approx(slope).epsilon(1e-13));

            cr::tape::tape t;
            auto p = t.variable(eccentricity), q = t.variable(anomaly);
            const auto active = cr::newton(kepler, x, start, e = p, mean = q);
            t.backward(2 * active);
            CHECK(value(active) == Approx(root.value).epsilon(1e-15));
            CHECK(p.gradient() == Approx(2 * by_e).epsilon(1e-13));
            CHECK(q.gradient() == Approx(2 * slope).epsilon(1e-13));
        }
}

// Ninety steps of Euler's method for y' = sin(y) / 60: more operations than fit in an expression.
template <class T>
constexpr T flow(T at) {
    using std::sin;
    for (int i = 0; i < 90; ++i) at = at + sin(at) / 60.0;
    return at;
}
constexpr auto flow_to = cr::function([](auto start, auto end) { return flow(start) - end; }, cr::wrt(y, x));
constexpr auto flow_and_sum = cr::function(
    [](auto start, auto end, auto sum) { return std::array{flow(start) - end, start + end - sum}; }, cr::wrt(y, x, z));

TEST_CASE("roots of long traced code") {
    const auto root = cr::newton_and_gradient(flow_to, y, 1.0, x = 2.0);
    const double slope = 1 / flow(cr::dual<double>::variable(root.value)).tangents[0];
    CHECK(flow(root.value) == Approx(2.0).epsilon(1e-15));
    CHECK(root[x] == Approx(slope).epsilon(1e-14));
    CHECK(cr::newton(flow_to, y, 1.0, x = cr::dual<double>::variable(2.0)).tangents[0] == Approx(slope).epsilon(1e-14));
    const auto both = cr::newton(flow_and_sum, cr::wrt(y, x), std::array{1.0, 2.0}, z = 2.0 + root.value);
    CHECK(both[0] == Approx(root.value).epsilon(1e-14));
    CHECK(both[1] == Approx(2.0).epsilon(1e-14));
}

TEST_CASE("second derivatives of roots, by nested numbers") {
    // The root of y^2 = x at 4: 2, 1/4, -1/32.
    using inner = cr::dual<double, 1>;
    cr::dual<inner, 1> two(inner(4.0));
    two.value.tangents[0] = 1;
    two.tangents[0] = inner(1.0);
    const auto root = cr::newton(y * y - x, y, 1.0, x = two);
    CHECK(root.value.value == 2.0);
    CHECK(root.tangents[0].value == 0.25);
    CHECK(root.tangents[0].tangents[0] == -1.0 / 32);
}

TEST_CASE("the friction factor of Colebrook and White") {
    // u = 1 / sqrt(friction), u + 2 log10(roughness / 3.7 + 2.51 u / Reynolds) = 0.
    constexpr auto u = cr::variable<"u">;
    constexpr auto roughness = cr::variable<"roughness">;
    constexpr auto reynolds = cr::variable<"reynolds">;
    constexpr auto colebrook = u + 2_c * log10(roughness / 3.7_c + 2.51_c * u / reynolds);
    for (const double number : {4e3, 1e5, 1e7})
        for (const double rough : {1e-5, 1e-3, 0.05}) {
            const auto root = cr::newton_and_gradient(colebrook, u, 5.0, roughness = rough, reynolds = number);
            double expected = 5;
            for (int k = 0; k < 200; ++k) expected = -2 * std::log10(rough / 3.7 + 2.51 * expected / number);
            CHECK(root.value == Approx(expected).epsilon(1e-14));
            const double step = 1e-5 * rough;
            const double right = cr::newton(colebrook, u, 5.0, roughness = rough + step, reynolds = number);
            const double left = cr::newton(colebrook, u, 5.0, roughness = rough - step, reynolds = number);
            CHECK(root[roughness] == Approx((right - left) / (2 * step)).epsilon(1e-6));
        }
}

TEST_CASE("systems of equations") {
    constexpr auto a = cr::variable<"a">;
    constexpr auto w = cr::variable<"w">;
    // Roots: x = a, y = a^2, z = 1 / a, w = exp(a) / a^2.
    constexpr auto g = cr::vector(y * w - exp(a), x * z - 1_c, y - x * x, x * x * x - a * a * a);
    const double at = 1.3;
    const auto root = cr::newton_and_gradient(g, cr::wrt(x, y, z, w), std::array{1.0, 1.0, 1.0, 1.0}, a = at);
    const std::array expected{at, at * at, 1 / at, std::exp(at) / (at * at)};
    const std::array slopes{1.0, 2 * at, -1 / (at * at), std::exp(at) * (at - 2) / (at * at * at)};
    cr::tape::tape t;
    auto p = t.variable(at);
    const auto active = cr::newton(g, cr::wrt(x, y, z, w), std::array{1.0, 1.0, 1.0, 1.0}, a = p);
    const auto moved =
        cr::newton(g, cr::wrt(x, y, z, w), std::array{1.0, 1.0, 1.0, 1.0}, a = cr::dual_variables(at)[0]);
    const auto implicit = cr::function(cr::implicit_derivative(g, cr::wrt(x, y, z, w), a), cr::wrt(x, y, z, w, a));
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(root.value[i] == Approx(expected[i]).epsilon(1e-14));
        CHECK(root[i][a] == Approx(slopes[i]).epsilon(1e-13));
        CHECK(moved[i].tangents[0] == Approx(slopes[i]).epsilon(1e-13));
        t.backward(active[i]);
        CHECK(p.gradient() == Approx(slopes[i]).epsilon(1e-13));
        CHECK(implicit(root.value[0], root.value[1], root.value[2], root.value[3], at)[i] ==
              Approx(slopes[i]).epsilon(1e-13));
    }
}

TEST_CASE("a root at zero, and a double root") {
    CHECK(cr::newton(sin(x), x, 0.5) == 0.0);
    CHECK(cr::newton(exp(x) - 1_c, x, 1.0) == Approx(0.0).margin(1e-16));
    CHECK(cr::newton((x - 1_c) * (x - 1_c), x, 3.0) == Approx(1.0).epsilon(1e-7));
    CHECK(cr::newton(x - 1e-300, x, 0.0) == 1e-300);
}

TEST_CASE("what newton says where it finds no root") {
    const auto status = [](auto search) {
        try {
            search();
        } catch (const cr::no_root& fault) {
            return fault.status;
        }
        return cr::root_status::converged;
    };
    const auto none = [] { (void)cr::newton(x * x + y, x, 0.5, y = 1.0); };
    const auto flat = [] { (void)cr::newton(x * x + y, x, 0.0, y = 1.0); };
    const auto outside = [] { (void)cr::newton(log(x) + y, x, -1.0, y = 1.0); };
    const auto by_nan = [] { (void)cr::newton(x + y, x, 1.0, y = std::nan("")); };
    CHECK(status(none) == cr::root_status::no_convergence);
    CHECK(status(flat) == cr::root_status::no_slope);
    CHECK(status(outside) == cr::root_status::not_finite);
    CHECK(status(by_nan) == cr::root_status::not_finite);
    CHECK(sentence_of(none) ==
          "newton: no convergence within 100 iterations; start closer to the root, or check that there is one");
    CHECK(sentence_of(flat) == "newton: the derivative of g with respect to the unknown is zero, or the Jacobian "
                               "singular, at an iterate; start elsewhere");
    CHECK(sentence_of(outside) ==
          "newton: g or its derivative is not finite at an iterate; start closer to the root, within the domain of g");
    // The derivative of a double root by a parameter is infinite, and said to be.
    CHECK(status([] { (void)cr::newton_and_gradient(x * x - y, x, 0.0, y = 0.0); }) == cr::root_status::no_slope);
    CHECK(status([] { (void)cr::newton(x * x - y, x, 0.0, y = cr::dual_variables(0.0)[0]); }) ==
          cr::root_status::no_slope);
}

} // namespace

TEST_CASE("newton converges to roots only", "[algebra]") {
    constexpr auto t = cr::variable<"t">;
    constexpr auto u = cr::variable<"u">;
    constexpr auto v = cr::variable<"v">;
    constexpr auto cubic = t * t * t - 2_c * t + 2_c;
    constexpr double root = -1.7692923542386314;
    // From far away, where the largest iterate says nothing about the size of the root.
    for (const double start : {0.3, 5.0, 1e9, 1e12}) {
        const auto found = cr::try_newton(cubic, t, start);
        CAPTURE(start, found.value);
        CHECK(found.converged());
        CHECK(found.value == Approx(root).epsilon(1e-14));
    }
    for (const double start : {1e-9, 0.5, 1e9, 1e16}) CHECK(!cr::try_newton(t * t + 1_c, t, start).converged());
    // Each of several unknowns has its own size.
    const auto scaled =
        cr::try_newton(cr::vector(u - 1e8 * v - 1e8, v - 1_c, cubic), cr::wrt(u, v, t), std::array{1.0, 1.0, 0.3});
    CHECK(scaled.converged());
    CHECK(scaled.value[2] == Approx(root).epsilon(1e-14));
    CHECK(
        !cr::try_newton(cr::vector(u * 1e-8 - 1_c, square(v) + 1_c), cr::wrt(u, v), std::array{1.0, 0.3}).converged());
    // Steps that overflow, and squares of steps that vanish.
    CHECK(cr::try_newton(atan(t), t, 1.5).status == cr::root_status::no_slope);
    CHECK(!cr::try_newton(atan(t) - 2_c, t, 0.0).converged());
    CHECK(!cr::try_newton(square(1e170 * t) + 1_c, t, 0.5e-170).converged());
    // Where rounding hides the root: a double one, and an unknown that is zero.
    CHECK(cr::newton(t * t - 2_c * t + 1_c, t, 2.0) == Approx(1.0).epsilon(1e-7));
    const auto zero =
        cr::try_newton(cr::vector(exp(u) + sin(v) - exp(1_c), cos(v) * u - 1_c), cr::wrt(u, v), std::array{2.0, 0.7});
    CHECK(zero.converged());
    CHECK(std::abs(zero.value[1]) < 1e-15);
    // A step that ends beside the pole at 0, by rounding, and small steps away from there.
    for (int i = 1; i < 100; ++i) {
        const double a = 0.1 * i;
        const auto one = cr::try_newton(1_c / t - v, t, 2.0 / a, v = a);
        const auto two = cr::try_newton(1_c / (t * t) - v, t, std::sqrt(3.0 / a), v = a);
        CAPTURE(a, one.value, two.value);
        CHECK((!one.converged() || std::abs(one.value * a - 1.0) < 1e-14));
        CHECK((!two.converged() || std::abs(two.value * two.value * a - 1.0) < 1e-14));
    }
}
