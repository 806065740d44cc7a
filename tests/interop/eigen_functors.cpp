// SPDX-License-Identifier: BSL-1.0
//
// Functions and residuals in Eigen's unsupported solvers: fits with known parameters and systems with known roots. (The
// page of solvers uses the newer header, which cannot be included beside this one.)
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/interop/eigen_functor.hpp>

#include <unsupported/Eigen/NonLinearOptimization>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace cr = chainrule;

namespace {

constexpr auto t = cr::variable<"t">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;
constexpr auto k = cr::variable<"k">;

} // namespace

TEST_CASE("Levenberg and Marquardt's method of residuals over data") {
    std::vector<double> times, counts;
    for (int i = 0; i < 40; ++i) {
        times.push_back(0.1 * i);
        counts.push_back(2.5 * std::exp(-0.75 * times.back()) + 0.5);
    }
    auto r = cr::residuals(a * exp(-b * t) + k - y, cr::over(t = times, y = counts), cr::wrt(a, b), cr::given(k = 0.5));
    auto functor = cr::eigen_functor(r);
    CHECK(functor.inputs() == 2);
    CHECK(functor.values() == 40);
    Eigen::VectorXd found(2);
    found << 1.0, 1.0;
    Eigen::LevenbergMarquardt solver(functor);
    solver.parameters.xtol = solver.parameters.ftol = 1e-14;
    solver.minimize(found);
    CHECK(std::abs(found[0] - 2.5) < 1e-10);
    CHECK(std::abs(found[1] - 0.75) < 1e-10);

    // The functor sees new values of parameters.
    r.set(k = 0.25);
    Eigen::VectorXd values;
    functor(found, values);
    CHECK(std::abs(values[7] + 0.25) < 1e-10);
}

TEST_CASE("residuals over data of float in solvers that compute in double") {
    const std::vector<float> times{0.0f, 1.0f, 2.0f, 3.0f}, counts{2.5f, 1.25f, 0.625f, 0.3125f};
    const auto r = cr::residuals(a * exp(-b * t) - y, cr::over(t = times, y = counts), cr::wrt(a, b));
    auto functor = cr::eigen_functor(r);
    Eigen::VectorXd found(2);
    found << 1.0, 1.0;

    std::vector<float> values(4), entries(8);
    r.values(found, values);
    r.jacobian(found, entries);
    Eigen::VectorXd given;
    Eigen::MatrixXd jacobian;
    functor(found, given);
    functor.df(found, jacobian);
    for (int i = 0; i < 4; ++i) {
        CHECK(given[i] == double(values[static_cast<std::size_t>(i)]));
        for (int j = 0; j < 2; ++j) CHECK(jacobian(i, j) == double(entries[static_cast<std::size_t>(2 * i + j)]));
    }

    Eigen::LevenbergMarquardt solver(functor);
    solver.minimize(found);
    CHECK(std::abs(found[0] - 2.5) < 1e-5);
    CHECK(std::abs(found[1] - std::log(2.0)) < 1e-5);
}

TEST_CASE("the hybrid method, of a function") {
    constexpr auto F = cr::function<3>(
        [](const auto& q) { return std::array{q[0] + q[1] + q[2] - 3.0, q[0] * q[1] - q[2], q[0] - q[1] * q[2]}; });
    auto functor = cr::eigen_functor(F);
    Eigen::VectorXd found(3);
    found << 1.5, 0.8, 1.1;
    Eigen::MatrixXd jacobian;
    functor.df(found, jacobian);
    const auto expected = F.jacobian(1.5, 0.8, 1.1);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            CHECK(jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) == expected[i][j]);

    Eigen::HybridNonLinearSolver<decltype(functor)> roots(functor);
    CHECK(roots.hybrj1(found) == Eigen::HybridNonLinearSolverSpace::RelativeErrorTooSmall);
    for (const double each : F(found)) CHECK(std::abs(each) < 1e-10);

    constexpr auto G = cr::function([](auto p, auto q) { return std::array{10.0 * (q - p * p), 1.0 - p}; });
    auto rosenbrock = cr::eigen_functor(G);
    Eigen::VectorXd valley(2);
    valley << -1.2, 1.0;
    Eigen::LevenbergMarquardt<decltype(rosenbrock)> solver(rosenbrock);
    solver.minimize(valley);
    CHECK(std::abs(valley[0] - 1.0) < 1e-10);
    CHECK(std::abs(valley[1] - 1.0) < 1e-10);
}

TEST_CASE("one value is one residual, and a point of another size is refused") {
    constexpr auto F = cr::function([](auto p, auto q) { return p * q - 1.0; });
    auto functor = cr::eigen_functor(F);
    CHECK(functor.values() == 1);
    Eigen::VectorXd point(2), value;
    point << 2.0, 3.0;
    Eigen::MatrixXd jacobian;
    functor(point, value);
    functor.df(point, jacobian);
    CHECK(value[0] == 5.0);
    CHECK(jacobian(0, 0) == 3.0);
    CHECK(jacobian(0, 1) == 2.0);
    CHECK_THROWS_AS(functor(Eigen::VectorXd(3), value), cr::wrong_size);
}
