// SPDX-License-Identifier: BSL-1.0
//
// A closed orbit around Earth and Moon, by Boost.Odeint and dual numbers: R. F. Arenstorf's satellite returns to its
// start if its speed there is right. Dual numbers through the adaptive steps of half a period give the derivatives for
// Newton's method. The literature's orbit (E. Hairer, S. P. Norsett and G. Wanner, Solving Ordinary Differential
// Equations I, 1993, page 129) has the speed -2.0015851063790825 and the period 17.0652165601579625.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/odeint.hpp>

#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>

namespace cr = chainrule;
namespace odeint = boost::numeric::odeint;

namespace {

// Places and velocities in the frame that turns with Earth and Moon; their distance is 1, the Moon's mass is `moon`.
constexpr double moon = 0.012277471;
constexpr auto slope = [](const auto& s) {
    const auto attraction = [&](double place, double mass) {
        const auto dx = s[0] - place, distance = hypot(dx, s[1]);
        const auto factor = mass / (distance * distance * distance);
        return std::array{factor * dx, factor * s[1]};
    };
    const auto earth_pull = attraction(-moon, 1 - moon), moon_pull = attraction(1 - moon, moon);
    return std::array{s[2], s[3], s[0] + 2 * s[3] - earth_pull[0] - moon_pull[0],
                      s[1] - 2 * s[2] - earth_pull[1] - moon_pull[1]};
};

// The state after some time, for a start on the axis with this speed across it.
template <class T>
std::array<T, 4> flight(const T& speed, double time) {
    using state = std::array<T, 4>;
    state s{T(0.994), T(0.0), T(0.0), speed};
    const auto system = [](const state& at, state& derivative, double) { derivative = slope(at); };
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_dopri5<state, double, state, double>>(1e-14, 1e-14), system, s, 0.0,
        time, 1e-3);
    return s;
}

} // namespace

int main() {
    double speed = -2.0013, half_period = 8.52; // a guess
    for (int step = 1; step <= 8; ++step) {
        // After half a period, the orbit must cross the axis at a right angle: y = 0 and x' = 0.
        const auto [unknown] = cr::dual_variables(speed);
        const auto end = flight(unknown, half_period);
        const std::array values{end[0].value, end[1].value, end[2].value, end[3].value};
        const auto by_time = slope(values); // the derivative of the end by the time
        const double a = end[1].tangents[0], b = by_time[1], c = end[2].tangents[0], d = by_time[2];
        const double y = values[1], across = values[2], determinant = a * d - b * c;
        const double change_of_speed = (b * across - d * y) / determinant;
        const double change_of_time = (c * y - a * across) / determinant;
        speed += change_of_speed;
        half_period += change_of_time;
        if (std::abs(change_of_speed) + std::abs(change_of_time) < 1e-10) {
            std::printf("converged\n");
            break;
        }
    }
    std::printf("speed %.8f, period %.6f\n", speed, 2 * half_period);
    const auto back = flight(speed, 2 * half_period);
    std::printf("after a period: %.4f, %.4f\n", back[0], std::abs(back[1]));
}
