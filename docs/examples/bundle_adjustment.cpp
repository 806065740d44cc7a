// SPDX-License-Identifier: BSL-1.0
//
// Bundle adjustment with Ceres: 50 cameras on a ring look at 600 points; from noisy pictures and a disturbed start both
// are found again. The residual is a functor as Ceres' own users write it, constexpr added. It is used twice: as a
// kernel, by chainrule, and by Ceres' AutoDiffCostFunction. Both end at the same optimum; the times of evaluating
// residuals and Jacobians are printed.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ceres.hpp>

#include <ceres/ceres.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace cr = chainrule;

namespace {

/// Where a point is in the picture of a camera with rotation (angle-axis, not zero), translation, focal length and two
/// coefficients of radial distortion, minus where it was seen: the camera model of N. Snavely's Bundler.
class reprojection {
public:
    constexpr reprojection(double u, double v) : seen_u_(u), seen_v_(v) {}

    template <class T>
    constexpr bool operator()(const T* camera, const T* point, T* residuals) const {
        using std::cos, std::sin, std::sqrt;
        const T angle = sqrt(camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2]);
        const T c = cos(angle), s = sin(angle);
        const T axis[] = {camera[0] / angle, camera[1] / angle, camera[2] / angle};
        const T along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1.0 - c);
        const T x = point[0] * c + (axis[1] * point[2] - axis[2] * point[1]) * s + axis[0] * along + camera[3];
        const T y = point[1] * c + (axis[2] * point[0] - axis[0] * point[2]) * s + axis[1] * along + camera[4];
        const T z = point[2] * c + (axis[0] * point[1] - axis[1] * point[0]) * s + axis[2] * along + camera[5];
        const T u = -x / z, v = -y / z;
        const T r2 = u * u + v * v;
        const T distortion = 1.0 + r2 * (camera[7] + camera[8] * r2);
        residuals[0] = camera[6] * distortion * u - seen_u_;
        residuals[1] = camera[6] * distortion * v - seen_v_;
        return true;
    }

private:
    double seen_u_, seen_v_;
};

constexpr auto seen_u = cr::variable<"seen_u">;
constexpr auto seen_v = cr::variable<"seen_v">;
constexpr std::size_t camera_count = 50, point_count = 600;

struct scene {
    std::array<std::array<double, 9>, camera_count> cameras;
    std::array<std::array<double, 3>, point_count> points;
};

scene true_scene(std::mt19937& random) {
    std::uniform_real_distribution<double> draw(-1.0, 1.0);
    scene result;
    for (std::size_t i = 0; i < camera_count; ++i) {
        const double turn =
            6.0 * (static_cast<double>(i) + 0.5) / camera_count; // about the vertical axis, at distance 5
        result.cameras[i] = {0.05 * draw(random), turn, 0.05 * draw(random), 0.0, 0.0, -5.0, 500.0, -0.05, 0.01};
    }
    for (auto& point : result.points) point = {draw(random), draw(random), draw(random)};
    return result;
}

scene disturbed(scene s, std::mt19937& random) {
    std::normal_distribution<double> draw(0.0, 0.01);
    for (auto& camera : s.cameras)
        for (std::size_t i = 0; i < 6; ++i) camera[i] += draw(random);
    for (auto& point : s.points)
        for (double& coordinate : point) coordinate += 2 * draw(random);
    return s;
}

struct observation {
    std::size_t camera, point;
    double u, v;
};

std::vector<observation> pictures(const scene& s, std::mt19937& random) {
    std::normal_distribution<double> noise(0.0, 0.5); // of a pixel
    std::vector<observation> result;
    for (std::size_t i = 0; i < camera_count; ++i)
        for (std::size_t j = i % 3; j < point_count; j += 3) {
            std::array<double, 2> place;
            reprojection(0.0, 0.0)(s.cameras[i].data(), s.points[j].data(), place.data());
            result.push_back({i, j, place[0] + noise(random), place[1] + noise(random)});
        }
    return result;
}

/// Fits the scene; `cost` makes the cost function of an observation.
template <class Cost>
ceres::Solver::Summary fit(scene& s, const std::vector<observation>& seen, const Cost& cost) {
    ceres::Problem problem;
    for (const observation& o : seen)
        problem.AddResidualBlock(cost(o), nullptr, s.cameras[o.camera].data(), s.points[o.point].data());
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_SCHUR;
    options.logging_type = ceres::SILENT;
    options.max_num_iterations = 50;
    options.function_tolerance = 1e-10;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    return summary;
}

double seconds(const ceres::Solver::Summary& s) {
    return s.residual_evaluation_time_in_seconds + s.jacobian_evaluation_time_in_seconds;
}

} // namespace

int main() {
    std::mt19937 random(1);
    const scene truth = true_scene(random);
    const auto seen = pictures(truth, random);
    const scene start = disturbed(truth, random);
    std::printf("%zu cameras, %zu points, %zu observations\n", camera_count, point_count, seen.size());

    scene ours = start, theirs = start;
    auto kernel = cr::function<cr::inputs<9, 3>, cr::outputs<2>>(reprojection(0.0, 0.0), cr::members(seen_u, seen_v));
    const auto by_kernels = fit(ours, seen, [&](const observation& o) -> ceres::CostFunction* {
        kernel.set(reprojection(o.u, o.v));
        return cr::ceres_cost<9, 3>(kernel).release();
    });
    const auto by_jets = fit(theirs, seen, [](const observation& o) -> ceres::CostFunction* {
        return new ceres::AutoDiffCostFunction<reprojection, 2, 9, 3>(new reprojection(o.u, o.v));
    });

    const double pixels = std::sqrt(2 * by_kernels.final_cost / (2 * static_cast<double>(seen.size())));
    std::printf("solved: %d, %d\n", by_kernels.IsSolutionUsable(), by_jets.IsSolutionUsable());
    std::printf("remaining error %.2f pixels\n", pixels);
    std::printf("relative difference of the optima below 1e-9: %d\n",
                std::abs(by_kernels.final_cost - by_jets.final_cost) < 1e-9 * by_jets.final_cost);
    std::printf("residuals and Jacobians: %.3f s by kernels, %.3f s by Ceres' jets, ratio %.2f\n", seconds(by_kernels),
                seconds(by_jets), seconds(by_kernels) / seconds(by_jets));
    return by_kernels.IsSolutionUsable() && by_jets.IsSolutionUsable() ? 0 : 1;
}
