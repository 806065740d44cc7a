// SPDX-License-Identifier: BSL-1.0
//
// The lightest spring for a load, by NLopt: its wire, its coils and their number under limits of deflection, shear
// stress, surge and size, the problem of A. D. Belegundu (1982) and J. S. Arora (Introduction to Optimum Design). The
// least weight that the literature knows is 0.0126652, at a wire of 0.051690, a coil of 0.356718 and 11.2890 turns. One
// function holds all limits.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/nlopt.hpp>

#include <array>
#include <cstdio>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto weight =
    cr::function([](auto wire, auto coil, auto turns) { return (turns + 2.0) * coil * wire * wire; });

constexpr auto limits = cr::function([](auto wire, auto coil, auto turns) { // each at most 0
    const auto cube = wire * wire * wire;
    const auto deflection = 1.0 - coil * coil * coil * turns / (71785.0 * cube * wire);
    const auto stress = (4.0 * coil * coil - wire * coil) / (12566.0 * (coil * cube - cube * wire)) +
                        1.0 / (5108.0 * wire * wire) - 1.0;
    const auto surge = 1.0 - 140.45 * wire / (coil * coil * turns);
    return std::array{deflection, stress, surge, (wire + coil) / 1.5 - 1.0};
});

} // namespace

int main() {
    nlopt::opt optimiser(nlopt::LD_SLSQP, 3);
    optimiser.set_lower_bounds({0.05, 0.25, 2.0});
    optimiser.set_upper_bounds({2.0, 1.3, 15.0});
    optimiser.set_xtol_rel(1e-10);
    optimiser.set_maxeval(1000);
    cr::nlopt_minimise(optimiser, weight);
    cr::nlopt_inequality(optimiser, limits, 1e-10);

    std::vector<double> spring{0.06, 0.5, 10.0};
    double least = 0.0;
    optimiser.optimize(spring, least);
    std::printf("weight %.7f: wire %.4f, coil %.4f, %.2f turns\n", least, spring[0], spring[1], spring[2]);

    const auto values = limits(spring[0], spring[1], spring[2]);
    const char* names[] = {"deflection", "stress", "surge", "size"};
    for (std::size_t i = 0; i < values.size(); ++i)
        std::printf("%s %s\n", names[i], values[i] > -1e-6 ? "is at its limit" : "has room");
}
