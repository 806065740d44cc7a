// SPDX-License-Identifier: BSL-1.0
//
// Objectives and constraints for NLopt: known minima by algorithms with and without gradients, and refusals.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/interop/nlopt.hpp>

#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

namespace cr = chainrule;
using namespace chainrule::literals;

namespace {

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto b = cr::variable<"b">;

struct end {
    double minimum;
    std::vector<double> at;
    nlopt::result why;
};
end run(nlopt::opt& optimiser, std::vector<double> start) {
    end result{0.0, std::move(start), nlopt::FAILURE};
    result.why = optimiser.optimize(result.at, result.minimum);
    return result;
}

} // namespace

TEST_CASE("a curve above two cubic curves, by gradients of objective and constraints") {
    // Minimise sqrt(y) for y >= (a x + b)^3 with (a, b) = (2, 0) and (-1, 1): at (1/3, 8/27).
    constexpr auto F = cr::function(sqrt(y), cr::wrt(x, y));
    constexpr auto cubic = [](auto slope, auto shift) { return cr::pow(slope * x + shift, 3_c); };
    const auto constraints = cr::function(cr::vector(cubic(2_c, 0_c) - y, cubic(-1_c, 1_c) - y), cr::wrt(x, y));
    nlopt::opt optimiser(nlopt::LD_MMA, 2);
    optimiser.set_lower_bounds({-HUGE_VAL, 1e-6});
    optimiser.set_xtol_rel(1e-9);
    cr::nlopt_minimise(optimiser, F);
    cr::nlopt_inequality(optimiser, constraints, 1e-10);
    const end found = run(optimiser, {1.234, 5.678});
    CHECK(found.why > 0);
    CHECK(std::abs(found.at[0] - 1.0 / 3) < 1e-6);
    CHECK(std::abs(found.at[1] - 8.0 / 27) < 1e-6);
    CHECK(std::abs(found.minimum - std::sqrt(8.0 / 27)) < 1e-6);
}

TEST_CASE("an equality of several values, and a maximum") {
    // The largest product of three numbers with sum 6 and x = y is 8.
    constexpr auto product = cr::function([](auto p, auto q, auto r) { return p * q * r; });
    constexpr auto sums = cr::function([](auto p, auto q, auto r) { return std::array{p + q + r - 6.0, p - q}; });
    nlopt::opt optimiser(nlopt::LD_SLSQP, 3);
    optimiser.set_xtol_rel(1e-10);
    cr::nlopt_maximise(optimiser, product);
    cr::nlopt_equality(optimiser, sums, 1e-10);
    const end found = run(optimiser, {1.0, 1.5, 3.0});
    CHECK(found.why > 0);
    CHECK(std::abs(found.minimum - 8) < 1e-7);
    for (const double each : found.at) CHECK(std::abs(each - 2) < 1e-5);
}

TEST_CASE("parameters may be set between runs, and algorithms without gradients get values alone") {
    auto F = cr::function((x - a) * (x - a) + (y - b) * (y - b), cr::wrt(x, y), cr::given(a = 1.0, b = 2.0));
    for (const auto algorithm : {nlopt::LD_LBFGS, nlopt::LN_NELDERMEAD}) {
        nlopt::opt optimiser(algorithm, 2);
        optimiser.set_xtol_rel(1e-9);
        cr::nlopt_minimise(optimiser, F);
        for (const double here : {-3.0, 0.5, 4.0}) {
            F.set(a = here, b = 2 * here);
            const end found = run(optimiser, {0.1, 0.2});
            CHECK(std::abs(found.at[0] - here) < 1e-6);
            CHECK(std::abs(found.at[1] - 2 * here) < 1e-6);
        }
    }
}

TEST_CASE("an array of one value is an objective") {
    constexpr auto F = cr::function([](auto p) { return std::array{(p - 3.0) * (p - 3.0)}; });
    for (const auto algorithm : {nlopt::LD_LBFGS, nlopt::LN_NELDERMEAD}) {
        nlopt::opt optimiser(algorithm, 1);
        optimiser.set_xtol_rel(1e-9);
        cr::nlopt_minimise(optimiser, F);
        CHECK(std::abs(run(optimiser, {1.0}).at[0] - 3.0) < 1e-6);
    }
}

TEST_CASE("another count of variables is refused before anything is set, and so is a temporary function") {
    constexpr auto F = cr::function(x * y, cr::wrt(x, y));
    nlopt::opt optimiser(nlopt::LD_LBFGS, 3);
    CHECK_THROWS_AS(cr::nlopt_minimise(optimiser, F), cr::wrong_size);
    CHECK_THROWS_AS(cr::nlopt_maximise(optimiser, F), cr::wrong_size);
    CHECK_THROWS_AS(cr::nlopt_inequality(optimiser, F), cr::wrong_size);
    CHECK_THROWS_AS(cr::nlopt_equality(optimiser, F), cr::wrong_size);
    constexpr auto takes_temporary = [](auto& o) {
        return requires { cr::nlopt_minimise(o, cr::function(x, cr::wrt(x))); };
    };
    CHECK(!takes_temporary(optimiser));
}
