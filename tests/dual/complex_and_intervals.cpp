// SPDX-License-Identifier: BSL-1.0
//
// Derivatives in complex numbers and in intervals: classes whose operators take no integers, of which one has no order
// and the other no comparison with a number within.
#include "catch.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <boost/numeric/interval.hpp>

#include <complex>
#include <vector>

namespace {

namespace cr = chainrule;
using complex = std::complex<double>;
using interval = boost::numeric::interval<
    double, boost::numeric::interval_lib::policies<
                boost::numeric::interval_lib::save_state<boost::numeric::interval_lib::rounded_transc_std<double>>,
                boost::numeric::interval_lib::checking_base<double>>>;

const complex z{1.0, 2.0};
template <class F>
void check_slope(const F& f, const complex& expected) {
    const auto y = f(cr::dual<complex>::variable(z));
    CHECK(std::abs(y.value - f(z)) < 1e-14);
    CHECK(std::abs(y.tangents[0] - expected) < 1e-13);
}

/// Whether the slope over an interval holds those at points in it, and is not much wider.
template <class F, class Slope>
void check_bounds(const F& f, const Slope& slope, double width) {
    const auto y = f(cr::dual<interval>::variable(interval(1.0, 1.25)));
    for (const double x : {1.0, 1.1, 1.25}) {
        CHECK(in(slope(x), y.tangents[0]));
        CHECK(in(f(x), y.value));
    }
    CHECK(boost::numeric::width(y.tangents[0]) < width);
}

} // namespace

TEST_CASE("dual numbers of complex numbers have complex derivatives", "[dual]") {
    check_slope([](const auto& x) { return 1.0 + x + x * x + 1.0 / x; }, 1.0 + 2.0 * z - 1.0 / (z * z));
    check_slope([](const auto& x) { return log(x) + sqrt(x); }, 1.0 / z + 0.5 / std::sqrt(z));
    check_slope([](const auto& x) { return exp(x) * sin(x) / cosh(x); },
                std::exp(z) * (std::sin(z) + std::cos(z) - std::sin(z) * std::tanh(z)) / std::cosh(z));
    check_slope([](const auto& x) { return tan(x) + atan(x) + asinh(x); },
                1.0 / (std::cos(z) * std::cos(z)) + 1.0 / (1.0 + z * z) + 1.0 / std::sqrt(1.0 + z * z));
    check_slope([](const auto& x) { return pow(x, 3) + pow(x, -2); }, 3.0 * z * z - 2.0 / (z * z * z));
    check_slope([](const auto& x) { return pow(x, x); }, std::pow(z, z) * (std::log(z) + 1.0));
}

TEST_CASE("dual numbers of intervals enclose derivatives", "[dual]") {
    check_bounds([](const auto& x) { return x * x + 2.0 * x - 1.0 / x; },
                 [](double x) { return 2.0 * x + 2.0 + 1.0 / (x * x); }, 1.0);
    check_bounds([](const auto& x) { return exp(x) * sin(x); },
                 [](double x) { return std::exp(x) * (std::sin(x) + std::cos(x)); }, 2.5);
    check_bounds(
        [](const auto& x) { return log(x) + sqrt(x) + tan(x) + atan(x); },
        [](double x) { return 1.0 / x + 0.5 / std::sqrt(x) + 1.0 / (std::cos(x) * std::cos(x)) + 1.0 / (1.0 + x * x); },
        8.0);
    // A slope in which 0 lies: whether it is 0 is undecided.
    const auto turning = cos(cr::dual<interval>::variable(interval(-0.5, 0.5)));
    CHECK(in(0.0, turning.tangents[0]));
    CHECK(in(std::sin(0.5), turning.tangents[0]));
}

TEST_CASE("second derivatives at lists of complex numbers and intervals", "[tape]") {
    const auto f = [](const auto& q) { return q[0] * q[0] * q[1]; };
    const auto second = cr::tape::hessian(f, std::vector{complex(1.0, 2.0), complex(0.0, 1.0)});
    CHECK(second.hessian(0, 0) == complex(0.0, 2.0));
    CHECK(second.hessian(0, 1) == complex(2.0, 4.0));
    const std::vector at{interval(-0.5, 1.5), interval(0.0, 1.0)}, ones{interval(1.0), interval(1.0)};
    const auto product = cr::tape::jvp(f, at, ones);
    for (const double x : {-0.5, 0.0, 1.5})
        for (const double y : {0.0, 1.0}) CHECK(in(2.0 * x * y + x * x, product));
    CHECK(in(2.0, cr::tape::hessian(f, at).hessian(0, 0)));
}

TEST_CASE("gradients at lists of intervals enclose gradients", "[tape]") {
    const auto f = [](const auto& q) { return q[0] * q[1] + exp(q[0]) * cos(q[1]); };
    const auto gradient = cr::tape::gradient(f, std::vector{interval(1.0, 2.0), interval(-1.0, 1.0)});
    for (const double x : {1.0, 1.5, 2.0})
        for (const double y : {-1.0, 0.0, 1.0}) {
            CHECK(in(y + std::exp(x) * std::cos(y), gradient[0]));
            CHECK(in(x - std::exp(x) * std::sin(y), gradient[1]));
        }
}
