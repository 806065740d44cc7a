// SPDX-License-Identifier: BSL-1.0
//
// The rates of a stiff reaction from measurements, by CVODES: H. H. Robertson's three substances, seen at twelve times
// between 0.4 and 4000 with an error of one per cent. CVODES integrates the sensitivities beside the concentrations,
// with exact Jacobians from one kernel; the method of Gauss and Newton in the logarithms of the rates does the rest.
// The true rates are 0.04, 1e4 and 3e7.
#include <chainrule/chainrule.hpp>
#include <chainrule/fixed_matrix.hpp>
#include <chainrule/interop/cvodes.hpp>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>
#include <sunlinsol/sunlinsol_dense.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto reaction = cr::function([](auto a, auto b, auto c, auto k1, auto k2, auto k3) {
    const auto first = -k1 * a + k2 * b * c, third = k3 * b * b;
    return std::array{first, -first - third, third};
});
constexpr std::size_t substances = 3, rates = 3;

// The amounts at a time, and their derivatives with respect to the logarithm of each rate.
struct measurement {
    double time;
    std::array<double, substances> amounts;
    std::array<std::array<double, rates>, substances> by_log_rate;
};

void check(int status, const char* call) {
    if (status >= 0) return;
    std::fprintf(stderr, "reaction_rates: %s failed with status %d\n", call, status);
    std::exit(1);
}

std::vector<measurement> simulate(const std::array<double, rates>& k, const std::vector<double>& times) {
    auto system = cr::cvodes_system(reaction);
    system.parameters = k;
    sundials::Context context;
    N_Vector y = N_VNew_Serial(substances, context);
    N_VGetArrayPointer(y)[0] = 1.0, N_VGetArrayPointer(y)[1] = N_VGetArrayPointer(y)[2] = 0.0;
    N_Vector* s = N_VCloneVectorArray(rates, y);
    for (std::size_t j = 0; j < rates; ++j) N_VConst(0.0, s[j]);
    SUNMatrix j = SUNDenseMatrix(substances, substances, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, j, context);
    void* memory = CVodeCreate(CV_BDF, context);
    check(CVodeInit(memory, system.slope, 0.0, y), "CVodeInit");
    check(CVodeSStolerances(memory, 1e-9, 1e-14), "CVodeSStolerances");
    check(CVodeSetMaxNumSteps(memory, 5000), "CVodeSetMaxNumSteps");
    check(CVodeSetUserData(memory, &system), "CVodeSetUserData");
    check(CVodeSetLinearSolver(memory, solver, j), "CVodeSetLinearSolver");
    check(CVodeSetJacFn(memory, system.jacobian), "CVodeSetJacFn");
    check(CVodeSensInit1(memory, rates, CV_SIMULTANEOUS, system.sensitivity_slope, s), "CVodeSensInit1");
    check(CVodeSetSensParams(memory, nullptr, system.parameters.data(), nullptr), "CVodeSetSensParams");
    check(CVodeSensEEtolerances(memory), "CVodeSensEEtolerances");

    std::vector<measurement> result;
    for (const double time : times) {
        double t = 0.0;
        check(CVode(memory, time, y, &t, CV_NORMAL), "CVode");
        check(CVodeGetSens(memory, &t, s), "CVodeGetSens");
        measurement m{time, {}, {}};
        for (std::size_t i = 0; i < substances; ++i) {
            m.amounts[i] = N_VGetArrayPointer(y)[i];
            for (std::size_t p = 0; p < rates; ++p) m.by_log_rate[i][p] = k[p] * N_VGetArrayPointer(s[p])[i];
        }
        result.push_back(m);
    }
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(j);
    N_VDestroyVectorArray(s, rates);
    N_VDestroy(y);
    return result;
}

} // namespace

int main() {
    const std::array truth{0.04, 1e4, 3e7};
    const std::vector<double> times{0.4, 1, 2, 4, 10, 20, 40, 100, 200, 400, 1000, 4000};
    auto seen = simulate(truth, times);
    std::mt19937 random(1);
    std::normal_distribution<double> error(0.0, 0.01);
    for (measurement& m : seen)
        for (double& amount : m.amounts) amount *= 1.0 + error(random);

    std::array k{0.1, 3e3, 1e8}; // a guess, wrong by a factor of about three
    bool converged = false;
    for (int step = 1; step <= 20 && !converged; ++step) {
        // Relative residuals r and their Jacobian J: the change of log k solves J'J change = -J'r.
        cr::fixed_matrix<double, rates> normal;
        cr::fixed_vector<double, rates> right;
        double error_squares = 0.0;
        const auto expected = simulate(k, times);
        for (std::size_t row = 0; row < seen.size(); ++row)
            for (std::size_t i = 0; i < substances; ++i) {
                const double scale = seen[row].amounts[i], r = (expected[row].amounts[i] - scale) / scale;
                error_squares += r * r;
                for (std::size_t p = 0; p < rates; ++p) {
                    const double by_p = expected[row].by_log_rate[i][p] / scale;
                    right[p] -= by_p * r;
                    for (std::size_t q = 0; q < rates; ++q)
                        normal(p, q) += by_p * expected[row].by_log_rate[i][q] / scale;
                }
            }
        const auto change = solve(normal, right);
        double largest = 0.0;
        for (std::size_t p = 0; p < rates; ++p) {
            k[p] *= std::exp(change[p]);
            largest = std::max(largest, std::abs(change[p]));
        }
        converged = largest < 1e-6;
        if (converged)
            std::printf("converged, errors of %.1f %%\n",
                        100.0 * std::sqrt(error_squares / static_cast<double>(substances * seen.size())));
    }
    if (!converged) {
        std::fprintf(stderr, "reaction_rates: the fit does not converge; begin with another guess\n");
        return 1;
    }
    for (std::size_t p = 0; p < rates; ++p)
        std::printf("k%zu within 3 %% of the truth: %d\n", p + 1, std::abs(k[p] / truth[p] - 1.0) < 0.03);
    std::printf("k1 %.4f, k2 %.3g, k3 %.3g\n", k[0], k[1], k[2]);
}
