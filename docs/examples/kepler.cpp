// SPDX-License-Identifier: BSL-1.0
//
// Kepler's equation by the root finders of Boost.Math: one kernel gives the value and the derivatives that each of
// them reads, as numbers of type double and, by Boost.Multiprecision, with 50 digits. The last lines check the root and
// its derivative with respect to the mean anomaly, 1 / (1 - k cos E), which the tape takes through Newton's steps.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include <boost/math/tools/roots.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <tuple>

namespace cr = chainrule;

namespace {

using fifty_digits = boost::multiprecision::cpp_bin_float_50;

constexpr double mean_anomaly = 0.5, eccentricity = 0.875; // no rounding: the same with 50 digits

constexpr auto residual = cr::function([](auto e) { return e - eccentricity * sin(e) - mean_anomaly; });

template <class T>
struct roots {
    T newton, halley;
    std::uintmax_t newton_steps = 100, halley_steps = 100;
};

template <class T>
roots<T> both_roots(int bits) {
    roots<T> found;
    const T start = 1.0, low = 0.0, high = 3.0;
    found.newton = boost::math::tools::newton_raphson_iterate(
        [](const T& e) {
            const auto [value, gradient] = residual.value_and_gradient(e);
            return std::tuple(value, gradient[0]);
        },
        start, low, high, bits, found.newton_steps);
    found.halley = boost::math::tools::halley_iterate(
        [](const T& e) {
            const auto [value, gradient, hessian] = residual.value_gradient_and_hessian(e);
            return std::tuple(value, gradient[0], hessian[0][0]);
        },
        start, low, high, bits, found.halley_steps);
    return found;
}

} // namespace

int main() {
    const auto doubles = both_roots<double>(50);
    std::printf("double: %.12f, %s\n", doubles.halley,
                std::abs(doubles.halley - doubles.newton) < 1e-14 ? "Newton and Halley agree" : "they differ");

    const auto exact = both_roots<fifty_digits>(160);
    std::printf("50 digits: %s\n", exact.halley.str(45).c_str());
    std::printf("Halley takes fewer steps: %s\n", exact.halley_steps < exact.newton_steps ? "yes" : "no");
    std::printf("the residual is below 1e-48: %s\n", abs(residual(exact.halley)) < 1e-48 ? "yes" : "no");

    // Three steps of Newton's method from the root leave it where it is, and carry its derivative.
    cr::tape::basic_tape<fifty_digits> tape;
    const auto anomaly = tape.variable(mean_anomaly);
    cr::tape::active<fifty_digits> e = exact.halley;
    for (int step = 0; step < 3; ++step) e -= (e - eccentricity * sin(e) - anomaly) / (1.0 - eccentricity * cos(e));
    tape.backward(e);
    const fifty_digits slope = 1 / (1 - eccentricity * cos(exact.halley));
    std::printf("slope %s\n", anomaly.gradient().str(45).c_str());
    std::printf("it is the formula's to 1e-45: %s\n", abs(anomaly.gradient() - slope) < 1e-45 ? "yes" : "no");
}
