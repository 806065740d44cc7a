// SPDX-License-Identifier: BSL-1.0
//
// Nonlinear programs whose solutions are known, solved by Ipopt with derivatives from kernels.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ipopt.hpp>

#if __has_include(<IpIpoptApplication.hpp>)
#include <IpIpoptApplication.hpp>
#else
#include <coin/IpIpoptApplication.hpp>
#endif

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <tuple>

#include "catch.hpp"

namespace cr = chainrule;
using namespace chainrule::literals;

namespace {

template <class F>
Ipopt::ApplicationReturnStatus solve(cr::ipopt_problem<F>& problem) {
    const Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = IpoptApplicationFactory();
    ipopt->Options()->SetStringValue("sb", "yes");
    ipopt->Options()->SetIntegerValue("print_level", 0);
    ipopt->Options()->SetNumericValue("tol", 1e-10);
    REQUIRE(ipopt->Initialize() == Ipopt::Solve_Succeeded);
    return ipopt->OptimizeTNLP(&problem);
}

} // namespace

TEST_CASE("Hock and Schittkowski's problem 71 ends at their solution") {
    constexpr auto F = cr::function<4>([](const auto& x) {
        return std::tuple(x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2], x[0] * x[1] * x[2] * x[3],
                          x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    });
    const auto problem = cr::make_ipopt_problem(F);
    problem->start = {1, 5, 5, 1};
    problem->lower.fill(1);
    problem->upper.fill(5);
    problem->constraint_lower = {25, 40};
    problem->constraint_upper = {problem->infinity, 40};
    solve(*problem);
    REQUIRE(problem->status == Ipopt::SUCCESS);
    // The solution of W. Hock and K. Schittkowski, Test Examples for Nonlinear Programming Codes, 1981, page 92.
    CHECK(std::abs(problem->objective - 17.0140173) < 1e-6);
    CHECK(std::abs(problem->solution[0] - 1) < 1e-6);
    CHECK(std::abs(problem->solution[1] - 4.7429994) < 1e-6);
    CHECK(std::abs(problem->solution[2] - 3.8211503) < 1e-6);
    CHECK(std::abs(problem->solution[3] - 1.3794082) < 1e-6);
    // At the solution, the gradient of the Lagrangian vanishes where no bound is active.
    const auto gradients = F.jacobian(problem->solution);
    for (std::size_t i = 1; i < 4; ++i)
        CHECK(std::abs(gradients[0][i] + problem->multipliers[0] * gradients[1][i] +
                       problem->multipliers[1] * gradients[2][i]) < 1e-6);
}

TEST_CASE("parameters are set between runs, and unconstrained problems have no constraints") {
    constexpr auto x = cr::variable<"x">;
    constexpr auto y = cr::variable<"y">;
    constexpr auto a = cr::variable<"a">;
    const auto f = (a - x) * (a - x) + 100_c * (y - x * x) * (y - x * x);
    const auto problem = cr::make_ipopt_problem(cr::function(f, cr::wrt(x, y), cr::given(a = 1.0)));
    for (const double minimum : {1.0, -2.0, 0.5}) {
        problem->function.set(a = minimum);
        problem->start = {-1.2, 1.0};
        solve(*problem);
        REQUIRE(problem->status == Ipopt::SUCCESS);
        CHECK(std::abs(problem->solution[0] - minimum) < 1e-7);
        CHECK(std::abs(problem->solution[1] - minimum * minimum) < 1e-7);
        CHECK(problem->objective < 1e-12);
    }
    problem->lower[0] = 1.0;
    problem->upper[0] = 0.0;
    CHECK(solve(*problem) == Ipopt::Unrecoverable_Exception);
    CHECK(problem->status == Ipopt::UNASSIGNED);
    CHECK(std::isnan(problem->objective));
}

TEST_CASE("lists of a problem are filled as arrays are") {
    constexpr auto F = cr::function<3>([](const auto& x) { return std::array{x[0] * x[1], x[1] + x[2], x[0]}; });
    const auto problem = cr::make_ipopt_problem(F);
    const std::array<double, 3> numbers{4, 5, 6};
    problem->start = numbers;
    CHECK(problem->start == numbers);
    problem->start = {1, 2.5, 3};
    const std::array<double, 3> copied = problem->start;
    CHECK(copied == std::array{1.0, 2.5, 3.0});
    problem->lower = {{1, 2, 3}};
    CHECK(problem->lower[2] == 3);
    const auto& [first, second, third] = problem->start;
    CHECK((first == 1 && second == 2.5 && third == 3));
    problem->start = problem->lower;
    problem->lower = {};
    CHECK((problem->start[1] == 2 && problem->lower[1] == 0));
    problem->constraint_lower.fill(-1);
    CHECK(F(problem->start)[0] == 2);
    CHECK(F.vjp(problem->solution, std::array{1.0, 0.0, 0.0})[0] == 0);
}

TEST_CASE("whatever is asked first at a new point, later results there are of this point") {
    constexpr auto F = cr::function([](auto u) { return std::array{u * u * u, 5.0 * u * u}; });
    const auto problem = cr::make_ipopt_problem(F);
    const double multiplier = 2.0;
    double point = 0.0, value = 0.0, gradient = 0.0, constraint = 0.0, slope = 0.0, curvature = 0.0;
    const std::array<std::function<void(bool)>, 5> calls{
        [&](bool is_new) { problem->eval_f(1, &point, is_new, value); },
        [&](bool is_new) { problem->eval_grad_f(1, &point, is_new, &gradient); },
        [&](bool is_new) { problem->eval_g(1, &point, is_new, 1, &constraint); },
        [&](bool is_new) { problem->eval_jac_g(1, &point, is_new, 1, 1, nullptr, nullptr, &slope); },
        [&](bool is_new) {
            problem->eval_h(1, &point, is_new, 1.0, 1, &multiplier, true, 1, nullptr, nullptr, &curvature);
        }};
    for (std::size_t first = 0; first < calls.size(); ++first) {
        point += 1.0;
        for (std::size_t k = 0; k < calls.size(); ++k) calls[(first + k) % calls.size()](k == 0);
        CHECK(value == point * point * point);
        CHECK(gradient == 3 * point * point);
        CHECK(constraint == 5 * point * point);
        CHECK(slope == 10 * point);
        CHECK(curvature == 6 * point + 2 * 10.0);
    }
}

TEST_CASE("a hanging chain of 40 links has the shape of least potential energy") {
    // Positions of the inner joints; links have length 1 / 40 * 1.5, the ends are 1 apart. Symmetric about the middle.
    constexpr int links = 40;
    constexpr auto F = cr::function<2 * (links - 1)>([](const auto& q) {
        using T = std::remove_cvref_t<decltype(q[0])>;
        std::array<T, links + 1> result;
        const auto joint = [&](int i, int coordinate) { return q[static_cast<std::size_t>(2 * (i - 1) + coordinate)]; };
        const auto x = [&](int i) { return i == 0 ? T(0) : i == links ? T(1) : joint(i, 0); };
        const auto y = [&](int i) { return i == 0 || i == links ? T(0) : joint(i, 1); };
        result[0] = T(0);
        for (int i = 0; i < links; ++i) {
            result[0] += y(i) + y(i + 1);
            const T dx = x(i + 1) - x(i), dy = y(i + 1) - y(i);
            result[static_cast<std::size_t>(i + 1)] = dx * dx + dy * dy;
        }
        return result;
    });
    const auto problem = cr::make_ipopt_problem(F);
    constexpr double length = 1.5 / links;
    problem->constraint_lower.fill(length * length);
    problem->constraint_upper.fill(length * length);
    for (std::size_t i = 0; i + 1 < links; ++i) {
        problem->start[2 * i] = static_cast<double>(i + 1) / links;
        problem->start[2 * i + 1] = -0.5 * std::sin(3.14 * static_cast<double>(i + 1) / links);
    }
    solve(*problem);
    REQUIRE(problem->status == Ipopt::SUCCESS);
    for (std::size_t i = 0; i + 1 < links; ++i) {
        const std::size_t mirrored = links - 2 - i;
        CHECK(std::abs(problem->solution[2 * i] + problem->solution[2 * mirrored] - 1) < 1e-6);
        CHECK(std::abs(problem->solution[2 * i + 1] - problem->solution[2 * mirrored + 1]) < 1e-6);
    }
    // Joints of equal links lie near the catenary a cosh((x - 1/2) / a) + c of length 2 a sinh(1 / (2 a)) = 1.5.
    double a = 0.3;
    for (int i = 0; i < 50; ++i)
        a -= (2 * a * std::sinh(0.5 / a) - 1.5) / (2 * std::sinh(0.5 / a) - std::cosh(0.5 / a) / a);
    const double sag = a * (std::cosh(0.5 / a) - 1);
    CHECK(std::abs(problem->solution[2 * (links / 2 - 1) + 1] + sag) < 1e-3);
}
