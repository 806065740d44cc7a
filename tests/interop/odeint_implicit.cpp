// SPDX-License-Identifier: BSL-1.0
//
// Boost.Odeint's implicit steppers with Jacobians from kernels, and the arrays of Boost.uBLAS that these use.
#include "catch.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wdeprecated-declarations" // std::iterator in Boost.uBLAS: clang 19
#endif

#include <chainrule/chainrule.hpp>
#include <chainrule/interop/odeint.hpp>

#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/implicit_euler.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_dense_output.hpp>

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace cr = chainrule;
namespace odeint = boost::numeric::odeint;
using state = boost::numeric::ublas::vector<double>;

TEST_CASE("Rosenbrock's method integrates the stiff reaction of Robertson") {
    constexpr auto reaction = cr::function([](auto a, auto b, auto c) {
        const auto first = -0.04 * a + 1e4 * b * c, third = 3e7 * b * b;
        return std::array{first, -first - third, third};
    });
    state x(3);
    x[0] = 1.0, x[1] = x[2] = 0.0;
    const auto steps = odeint::integrate_adaptive(odeint::make_dense_output<odeint::rosenbrock4<double>>(1e-10, 1e-10),
                                                  cr::odeint_system(reaction), x, 0.0, 40.0, 1e-6);
    // As the example cvsRoberts_dns of SUNDIALS prints; an explicit method needs some 100,000 steps.
    CHECK(std::abs(x[0] - 7.1579e-01) < 1e-4);
    CHECK(std::abs(x[1] - 9.1850e-06) < 1e-8);
    CHECK(std::abs(x[2] - 2.8420e-01) < 1e-4);
    CHECK(std::abs(x[0] + x[1] + x[2] - 1.0) < 1e-9);
    CHECK(steps < 1000);
}

TEST_CASE("Rosenbrock's method takes the derivative with respect to time from a function of both") {
    // The solution that starts at 1 is cos(t); others fall to it at once.
    constexpr auto F = cr::function([](auto y, auto t) { return std::array{-1000.0 * (y - cos(t)) - sin(t)}; });
    state y(1);
    y[0] = 2.0;
    odeint::integrate_adaptive(odeint::make_controlled<odeint::rosenbrock4<double>>(1e-11, 1e-11), cr::odeint_system(F),
                               y, 0.0, 2.0, 1e-4);
    CHECK(std::abs(y[0] - std::cos(2.0)) < 1e-7);
}

TEST_CASE("the implicit Euler method takes the Jacobian without the derivative by the time") {
    // y' = -k y: each step of length h divides by 1 + h k.
    constexpr auto F = cr::function([](auto y) { return std::array{-50.0 * y}; });
    odeint::implicit_euler<double> stepper;
    state y(1);
    y[0] = 1.0;
    for (int i = 0; i < 3; ++i) stepper.do_step(cr::odeint_system(F), y, 0.1 * i, 0.1);
    CHECK(std::abs(y[0] - std::pow(1 + 0.1 * 50.0, -3)) < 1e-9);
}

TEST_CASE("arrays of uBLAS are copied, moved and resized") {
    namespace ublas = boost::numeric::ublas;
    state x(3);
    std::iota(x.begin(), x.end(), 1.0);
    state copy = x, moved = std::move(copy);
    CHECK(moved[2] == 3.0);
    x.resize(5);
    CHECK((x.size() == 5 && x[2] == 3.0));
    x.resize(0);
    CHECK(x.empty());
    x = moved;
    x.resize(2);
    CHECK((x.size() == 2 && x[1] == 2.0));
    x.swap(moved);
    CHECK((x.size() == 3 && moved.size() == 2 && x[2] == 3.0));
    moved = x;
    CHECK(moved[2] == 3.0);
    ublas::matrix<double> a(2, 2, 7.0);
    a.resize(3, 3);
    CHECK(a(1, 1) == 7.0);
    ublas::permutation_matrix<std::size_t> rows(3);
    CHECK(rows(2) == 2);
}
