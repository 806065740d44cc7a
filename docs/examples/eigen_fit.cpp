// SPDX-License-Identifier: BSL-1.0
//
// Eigen's solvers from MINPACK with the Jacobians of kernels: the fit Misra1a of the Statistical Reference Datasets of
// NIST (www.itl.nist.gov/div898/strd, volumes adsorbed at 14 pressures) by Levenberg and Marquardt, whose certified
// parameters are 2.3894212918e+02 and 5.5015643181e-04; and a circle cut by an exponential, by Powell's hybrid method.
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/eigen_functor.hpp>

#include <unsupported/Eigen/NonLinearOptimization>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto pressure = cr::variable<"pressure">;
constexpr auto volume = cr::variable<"volume">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;

const std::vector<double> pressures{77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                    378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
const std::vector<double> volumes{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                  44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};

constexpr auto circle_and_curve =
    cr::function([](auto x, auto y) { return std::array{x * x + y * y - 4.0, exp(x) + y - 1.0}; });

} // namespace

int main() {
    const auto residuals = cr::residuals(a * (1.0 - exp(-b * pressure)) - volume,
                                         cr::over(pressure = pressures, volume = volumes), cr::wrt(a, b));
    auto fit = cr::eigen_functor(residuals);
    Eigen::LevenbergMarquardt levenberg(fit);
    levenberg.parameters.xtol = levenberg.parameters.ftol = 1e-14;
    Eigen::VectorXd found{{500.0, 1e-4}}; // NIST's first start, the far one
    levenberg.minimize(found);
    std::printf("Misra1a: %.6f and %.4e, sum of squares %.6f\n", found[0], found[1], levenberg.fvec.squaredNorm());
    const bool certified =
        std::abs(found[0] / 2.3894212918e+02 - 1.0) < 1e-8 && std::abs(found[1] / 5.5015643181e-04 - 1.0) < 1e-8;
    std::printf("certified to 8 digits: %s\n", certified ? "yes" : "no");

    auto system = cr::eigen_functor(circle_and_curve);
    Eigen::HybridNonLinearSolver hybrid(system);
    Eigen::VectorXd point{{1.0, -1.0}};
    hybrid.solve(point);
    std::printf("circle and curve meet at %.6f, %.6f; residual below 1e-10: %s\n", point[0], point[1],
                hybrid.fvec.norm() < 1e-10 ? "yes" : "no");
}
