// SPDX-License-Identifier: BSL-1.0
//
// Boost.Odeint's implicit steppers with Jacobians from kernels. They use Boost.uBLAS, which compiles as C++20 from
// Boost 1.76 on; with an older one there is nothing here.
#include "catch.hpp"

#include <boost/version.hpp>

#if BOOST_VERSION >= 107600

#include <chainrule/chainrule.hpp>
#include <chainrule/interop/odeint.hpp>

#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_dense_output.hpp>

#include <array>
#include <cmath>

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

TEST_CASE("Rosenbrock's method takes the derivative by the time from a function of state and time") {
    // The solution that starts at 1 is cos(t); others fall to it at once.
    constexpr auto F = cr::function([](auto y, auto t) { return std::array{-1000.0 * (y - cos(t)) - sin(t)}; });
    state y(1);
    y[0] = 2.0;
    odeint::integrate_adaptive(odeint::make_controlled<odeint::rosenbrock4<double>>(1e-11, 1e-11), cr::odeint_system(F),
                               y, 0.0, 2.0, 1e-4);
    CHECK(std::abs(y[0] - std::cos(2.0)) < 1e-7);
}

#endif
