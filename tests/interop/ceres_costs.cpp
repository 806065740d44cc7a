// SPDX-License-Identifier: BSL-1.0
//
// Cost functions for Ceres: the residuals and Jacobians are those of its AutoDiffCostFunction, and so is the optimum.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ceres.hpp>

#include <ceres/ceres.h>
#undef CHECK // Ceres' logging has a macro of the name that Catch2 uses

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "catch.hpp"

namespace cr = chainrule;

namespace {

// Powell's singular function; the blocks are (x0, x1) and (x2, x3).
struct powell {
    template <class T>
    constexpr bool operator()(const T* a, const T* b, T* residuals) const {
        using std::sqrt;
        residuals[0] = a[0] + 10.0 * a[1];
        residuals[1] = 2.0 * (b[0] - b[1]);
        residuals[2] = (a[1] - 2.0 * b[0]) * (a[1] - 2.0 * b[0]);
        residuals[3] = sqrt(exp(b[1])) * (a[0] - b[1]) * (a[0] - b[1]);
        return true;
    }
};

ceres::Solver::Summary solve(ceres::Problem& problem) {
    ceres::Solver::Options options;
    options.logging_type = ceres::SILENT;
    options.max_num_iterations = 200;
    options.function_tolerance = options.gradient_tolerance = options.parameter_tolerance = 1e-16;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    return summary;
}

} // namespace

TEST_CASE("residuals and Jacobians are those of automatic differentiation by Ceres") {
    constexpr auto F = cr::function<cr::inputs<2, 2>, cr::outputs<4>>(powell{});
    const auto ours = cr::ceres_cost<2, 2>(F);
    const ceres::AutoDiffCostFunction<powell, 4, 2, 2> theirs(new powell);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> draw(-2.0, 2.0);
    for (int repeat = 0; repeat < 20; ++repeat) {
        const std::array a{draw(random), draw(random)}, b{draw(random), draw(random)};
        const std::array<const double*, 2> blocks{a.data(), b.data()};
        std::array<double, 4> our_residuals, their_residuals, values_alone;
        std::array<std::array<double, 8>, 2> our_jacobian, their_jacobian;
        std::array<double*, 2> to_ours{our_jacobian[0].data(), our_jacobian[1].data()};
        std::array<double*, 2> to_theirs{their_jacobian[0].data(), their_jacobian[1].data()};
        REQUIRE(ours->Evaluate(blocks.data(), our_residuals.data(), to_ours.data()));
        REQUIRE(theirs.Evaluate(blocks.data(), their_residuals.data(), to_theirs.data()));
        REQUIRE(ours->Evaluate(blocks.data(), values_alone.data(), nullptr));
        CHECK(our_residuals == values_alone);
        for (std::size_t i = 0; i < 4; ++i) CHECK(our_residuals[i] == Approx(their_residuals[i]).epsilon(1e-14));
        for (std::size_t block = 0; block < 2; ++block)
            for (std::size_t i = 0; i < 8; ++i)
                CHECK(our_jacobian[block][i] == Approx(their_jacobian[block][i]).epsilon(1e-13).margin(1e-14));

        // A block that Ceres holds constant has no Jacobian.
        const auto before = our_jacobian;
        our_jacobian[0].fill(0);
        to_ours[1] = nullptr;
        REQUIRE(ours->Evaluate(blocks.data(), our_residuals.data(), to_ours.data()));
        CHECK(our_jacobian == before);
    }
}

TEST_CASE("a curve is fitted to data that parameters bind, one cost function each") {
    constexpr auto m = cr::variable<"m">;
    constexpr auto c = cr::variable<"c">;
    constexpr auto t = cr::variable<"t">;
    constexpr auto y = cr::variable<"y">;
    std::array<double, 2> ours{0.0, 0.0};
    std::vector<double> times, seen;
    std::mt19937 random(2);
    std::normal_distribution<double> noise(0.0, 0.2);
    for (int i = 0; i < 60; ++i) {
        times.push_back(0.075 * i);
        seen.push_back(std::exp(0.3 * times.back() + 0.1) + noise(random));
    }
    ceres::Problem problem;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto residual = cr::function(y - exp(m * t + c), cr::wrt(m, c), cr::given(t = times[i], y = seen[i]));
        problem.AddResidualBlock(cr::ceres_cost<1, 1>(residual).release(), nullptr, &ours[0], &ours[1]);
    }
    CHECK(solve(problem).IsSolutionUsable());
    // Normal equations at the optimum: the residuals are orthogonal to their derivatives.
    double by_m = 0, by_c = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double model = std::exp(ours[0] * times[i] + ours[1]);
        by_m += (seen[i] - model) * model * times[i];
        by_c += (seen[i] - model) * model;
    }
    CHECK(std::abs(by_m) < 1e-6);
    CHECK(std::abs(by_c) < 1e-6);
    CHECK(std::abs(ours[0] - 0.3) < 0.03);
    CHECK(std::abs(ours[1] - 0.1) < 0.1);
}
