// SPDX-License-Identifier: BSL-1.0
//
// The highest flight of a sounding rocket, by Ipopt: R. H. Goddard's problem as in E. D. Dolan, J. J. More and T. S.
// Munson, Benchmarking Optimization Software with COPS 3.0, 2004, where the greatest height is 1.01283. The flight is
// cut into steps of equal, unknown length; the trapezoidal rule joins the states at both ends of a step, by one kernel
// of nine inputs.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ipopt_model.hpp>

#include <IpIpoptApplication.hpp>

#include <array>
#include <cstddef>
#include <cstdio>

namespace {

// In units of the radius of the Earth, of gravity there, and of the mass at the start.
constexpr double greatest_thrust = 3.5, empty_mass = 0.6, exhaust = 0.5, drag = 310.0, thinning = 500.0;

// The derivatives of height, velocity and mass by time.
constexpr auto slope = [](auto height, auto velocity, auto mass, auto thrust) {
    const auto friction = drag * velocity * velocity * exp(-thinning * (height - 1.0));
    return std::array{velocity, (thrust - friction) / mass - 1.0 / (height * height), -thrust / exhaust};
};

// What is missing for the trapezoidal rule between two ends of a step.
constexpr auto defect =
    chainrule::function([](auto h0, auto v0, auto m0, auto t0, auto h1, auto v1, auto m1, auto t1, auto step) {
        const auto a = slope(h0, v0, m0, t0), b = slope(h1, v1, m1, t1);
        const auto rule = [&](auto from, auto to, std::size_t k) { return to - from - 0.5 * step * (a[k] + b[k]); };
        return std::array{rule(h0, h1, 0), rule(v0, v1, 1), rule(m0, m1, 2)};
    });

constexpr auto negative = chainrule::function([](auto x) { return -x; });

} // namespace

int main() {
    constexpr std::size_t steps = 400, height = 0, velocity = 1, mass = 2, thrust = 3, step = 4 * (steps + 1);
    const auto model = chainrule::make_ipopt_model(step + 1); // the last variable is the length of a step
    for (std::size_t k = 0; k <= steps; ++k) {
        const double t = static_cast<double>(k) / steps;
        const std::size_t at = 4 * k;
        model->start[at + height] = 1.0, model->lower[at + height] = 1.0;
        model->start[at + velocity] = t * (1.0 - t), model->lower[at + velocity] = 0.0;
        model->start[at + mass] = 1.0 + t * (empty_mass - 1.0), model->lower[at + mass] = empty_mass;
        model->upper[at + mass] = 1.0;
        model->start[at + thrust] = greatest_thrust / 2, model->lower[at + thrust] = 0.0;
        model->upper[at + thrust] = greatest_thrust;
        if (k < steps)
            model->constrain(defect, {at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6, at + 7, step}, 0.0, 0.0);
    }
    model->start[step] = 1.0 / steps, model->lower[step] = 0.0;
    model->upper[height] = 1.0, model->upper[velocity] = 0.0, model->lower[mass] = 1.0; // the start
    model->upper[4 * steps + mass] = empty_mass;
    model->minimise(negative, 4 * steps + height);

    const Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = IpoptApplicationFactory();
    ipopt->Options()->SetIntegerValue("print_level", 0);
    ipopt->Options()->SetStringValue("sb", "yes");
    if (ipopt->Initialize() != Ipopt::Solve_Succeeded) {
        std::fprintf(stderr, "rocket: Ipopt does not start; correct ipopt.opt in this folder, if there is one\n");
        return 1;
    }
    ipopt->OptimizeTNLP(model);
    if (model->status != Ipopt::SUCCESS) {
        std::fprintf(stderr, "rocket: Ipopt ends without a solution, status %d\n", static_cast<int>(model->status));
        return 1;
    }

    std::printf("solved: %zu variables, %zu constraints\n", model->solution.size(), model->multipliers.size());
    std::printf("height %.5f after %.4f\n", -model->objective, static_cast<double>(steps) * model->solution[step]);
    std::printf("thrust"); // full, then as much as keeps the balance with the friction, then none
    for (std::size_t k = 0; k <= steps; k += steps / 10) std::printf(" %.1f", model->solution[4 * k + thrust]);
    std::printf("\n");
}
