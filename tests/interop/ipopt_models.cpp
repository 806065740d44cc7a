// SPDX-License-Identifier: BSL-1.0
//
// Nonlinear programs whose size is known at run time: their derivatives are those of the same program as one function,
// and a chain of a thousand links hangs as a catenary.
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ipopt_model.hpp>

#if __has_include(<IpIpoptApplication.hpp>)
#include <IpIpoptApplication.hpp>
#else
#include <coin/IpIpoptApplication.hpp>
#endif

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "sentence.hpp"

namespace cr = chainrule;

namespace {

Ipopt::ApplicationReturnStatus solve(Ipopt::TNLP& problem) {
    const Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = IpoptApplicationFactory();
    ipopt->Options()->SetStringValue("sb", "yes");
    ipopt->Options()->SetIntegerValue("print_level", 0);
    ipopt->Options()->SetNumericValue("tol", 1e-10);
    REQUIRE(ipopt->Initialize() == Ipopt::Solve_Succeeded);
    return ipopt->OptimizeTNLP(&problem);
}

// What a program tells Ipopt at a point, with entries of one place added.
struct told {
    double objective = 0.0;
    std::vector<double> gradient, constraints;
    std::vector<std::vector<double>> jacobian, hessian;
};
told ask(Ipopt::TNLP& problem, const std::vector<double>& x, double factor, const std::vector<double>& multipliers) {
    Ipopt::Index n = 0, m = 0, jacobian_entries = 0, hessian_entries = 0;
    Ipopt::TNLP::IndexStyleEnum style{};
    REQUIRE(problem.get_nlp_info(n, m, jacobian_entries, hessian_entries, style));
    REQUIRE(static_cast<std::size_t>(m) == multipliers.size());
    told result;
    result.gradient.resize(x.size());
    result.constraints.resize(multipliers.size());
    problem.eval_f(n, x.data(), true, result.objective);
    problem.eval_grad_f(n, x.data(), false, result.gradient.data());
    problem.eval_g(n, x.data(), false, m, result.constraints.data());
    const auto matrix = [&](std::size_t rows, Ipopt::Index entries, const auto& call) {
        std::vector<Ipopt::Index> row(static_cast<std::size_t>(entries)), column(row.size());
        std::vector<double> values(row.size());
        call(row.data(), column.data(), nullptr);
        call(nullptr, nullptr, values.data());
        std::vector<std::vector<double>> dense(rows, std::vector<double>(x.size()));
        for (std::size_t k = 0; k < row.size(); ++k)
            dense[static_cast<std::size_t>(row[k])][static_cast<std::size_t>(column[k])] += values[k];
        return dense;
    };
    result.jacobian =
        matrix(multipliers.size(), jacobian_entries, [&](Ipopt::Index* rows, Ipopt::Index* columns, double* values) {
            problem.eval_jac_g(n, x.data(), false, m, jacobian_entries, rows, columns, values);
        });
    result.hessian = matrix(x.size(), hessian_entries, [&](Ipopt::Index* rows, Ipopt::Index* columns, double* values) {
        problem.eval_h(n, x.data(), false, factor, m, multipliers.data(), true, hessian_entries, rows, columns, values);
    });
    return result;
}
void check_equal(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j) CHECK(std::abs(a[i][j] - b[i][j]) < 1e-14);
}

} // namespace

TEST_CASE("a program in parts tells Ipopt what it tells as one function") {
    constexpr auto scale = cr::variable<"scale">;
    constexpr auto a = cr::variable<"a">;
    constexpr auto b = cr::variable<"b">;
    constexpr auto term = cr::function([](auto u, auto v) { return exp(u * v) + u * u * u; });
    constexpr auto pair = cr::function([](auto u, auto v, auto w) { return std::array{u * v * w, sin(u) * w}; });
    auto scaled = cr::function(scale * a * a * b, cr::wrt(a, b), cr::given(scale = 1.0));

    const auto model = cr::make_ipopt_model(4);
    model->minimise(term, {2, 0});                           // the place of the greater number comes first
    CHECK(model->constrain(pair, {3, 1, 3}, 0.0, 1.0) == 0); // one variable twice
    scaled.set(scale = 2.0);
    CHECK(model->constrain(scaled, 1, -1.0, model->infinity) == 2);
    model->minimise(term, 1);
    scaled.set(scale = 5.0); // each application has parameters of its own
    CHECK(model->constrain(scaled, {0, 3}, 2.0, 2.0) == 3);
    model->minimise(scaled, {1, 1});
    CHECK(model->constrain(pair, 0, 0.0, 0.0) == 4);

    constexpr auto whole = cr::function<4>([](const auto& x) {
        const auto one = [](auto u, auto v) { return exp(u * v) + u * u * u; };
        return std::tuple(one(x[2], x[0]) + one(x[1], x[2]) + 5.0 * x[1] * x[1] * x[1], x[3] * x[1] * x[3],
                          sin(x[3]) * x[3], 2.0 * x[1] * x[1] * x[2], 5.0 * x[0] * x[0] * x[3], x[0] * x[1] * x[2],
                          sin(x[0]) * x[2]);
    });
    const auto problem = cr::make_ipopt_problem(whole);
    const std::vector x{0.3, -0.7, 1.1, 0.9}, multipliers{0.5, -1.5, 2.0, 0.25, -0.75, 3.0};
    const told parts = ask(*model, x, 1.5, multipliers), one = ask(*problem, x, 1.5, multipliers);
    CHECK(std::abs(parts.objective - one.objective) < 1e-14);
    check_equal({parts.gradient, parts.constraints}, {one.gradient, one.constraints});
    check_equal(parts.jacobian, one.jacobian);
    check_equal(parts.hessian, one.hessian);
    CHECK(model->constraint_lower == std::vector{0.0, 0.0, -1.0, 2.0, 0.0, 0.0});
    CHECK(model->constraint_upper == std::vector{1.0, 1.0, model->infinity, 2.0, 0.0, 0.0});
}

TEST_CASE("a chain of 1000 links hangs as a catenary") {
    // Joints (x, y), one after the other; links have length 1.5 / 1000, the ends are 1 apart.
    constexpr std::size_t links = 1000;
    constexpr double length = 1.5 / links;
    constexpr auto height = cr::function([](auto y) { return y; });
    constexpr auto link =
        cr::function([](auto x0, auto y0, auto x1, auto y1) { return square(x1 - x0) + square(y1 - y0); });
    const auto model = cr::make_ipopt_model(2 * (links + 1));
    for (std::size_t i = 0; i <= links; ++i) {
        model->minimise(height, 2 * i + 1);
        if (i < links) model->constrain(link, 2 * i, length * length, length * length);
        const double t = static_cast<double>(i) / links;
        model->start[2 * i] = t;
        model->start[2 * i + 1] = -2.0 * t * (1.0 - t);
    }
    for (const std::size_t end : {std::size_t(0), links})
        for (const std::size_t coordinate : {0U, 1U})
            model->lower[2 * end + coordinate] = model->upper[2 * end + coordinate] = end && !coordinate ? 1.0 : 0.0;
    solve(*model);
    REQUIRE(model->status == Ipopt::SUCCESS);
    REQUIRE(model->solution.size() == 2002);

    // The catenary a cosh((x - 1/2) / a) + c of length 2 a sinh(1 / (2 a)) = 1.5. The tension of a link is proportional
    // to the slope, so joints differ from it by the square of a link's length.
    double a = 0.3;
    for (int i = 0; i < 50; ++i)
        a -= (2 * a * std::sinh(0.5 / a) - 1.5) / (2 * std::sinh(0.5 / a) - std::cosh(0.5 / a) / a);
    for (std::size_t i = 0; i <= links; ++i) {
        const double x = model->solution[2 * i];
        const double y = a * (std::cosh((x - 0.5) / a) - std::cosh(0.5 / a));
        CHECK(std::abs(model->solution[2 * i + 1] - y) < 2e-6);
    }
    CHECK(model->multipliers.size() == links);
}

TEST_CASE("bounds alone, a second run and a variable that is not there") {
    constexpr auto c = cr::variable<"c">;
    constexpr auto x = cr::variable<"x">;
    const auto model = cr::make_ipopt_model(3);
    for (std::size_t i = 0; i < 3; ++i)
        model->minimise(cr::function(square(x - c), cr::wrt(x), cr::given(c = static_cast<double>(i))), i);
    for (const double bound : {0.5, 1.5}) {
        model->upper[2] = bound;
        solve(*model);
        REQUIRE(model->status == Ipopt::SUCCESS);
        CHECK(std::abs(model->solution[1] - 1.0) < 1e-6);
        CHECK(std::abs(model->solution[2] - bound) < 1e-6);
        CHECK(model->multipliers.empty());
    }
    constexpr auto difference = cr::function([](auto u, auto v) { return u - v; });
    CHECK(sentence_of([&] { model->constrain(difference, 2, 0.0, 0.0); }) ==
          "constrain: the variable number 3 is not below the number of variables, 3; make_ipopt_model(n) has the "
          "variables 0 to n - 1");
    CHECK(model->constraint_lower.empty());
}

TEST_CASE("lists of another length are refused before Ipopt computes anything") {
    constexpr auto distance = cr::function([](auto u, auto v) { return square(u - 1.0) + square(v - 2.0); });
    constexpr auto sum = cr::function([](auto u, auto v) { return u + v; });
    const auto refused = [&](const std::function<void(cr::ipopt_model&)>& change, const std::string& sentence) {
        const auto model = cr::make_ipopt_model(2);
        model->minimise(distance, 0);
        model->constrain(sum, 0, 0.0, 4.0);
        REQUIRE(solve(*model) == Ipopt::Solve_Succeeded);
        change(*model);
        CHECK(solve(*model) == Ipopt::Unrecoverable_Exception);
        CHECK(model->status == Ipopt::UNASSIGNED);

        const std::vector<double> untouched(8, 42.0);
        std::vector<double> x = untouched, z = untouched, g = untouched, h = untouched;
        Ipopt::Index n = 0, m = 0, entries = 0;
        Ipopt::TNLP::IndexStyleEnum style{};
        CHECK(sentence_of([&] { model->get_nlp_info(n, m, entries, entries, style); }) == sentence);
        // As Ipopt calls these alone for a second run of the same structure.
        CHECK_THROWS_AS(model->get_bounds_info(2, x.data(), z.data(), 1, g.data(), h.data()), cr::wrong_size);
        CHECK_THROWS_AS(model->get_starting_point(2, true, x.data(), false, nullptr, nullptr, 1, false, nullptr),
                        cr::wrong_size);
        for (const auto& list : {x, z, g, h}) CHECK(list == untouched);
    };
    const std::string of_variables = "ipopt_model: start, lower or upper does not have one number per variable; give "
                                     "each of them n numbers, as in make_ipopt_model(n)";
    const std::string of_constraints = "ipopt_model: constraint_lower or constraint_upper does not have one number per "
                                       "constraint; constrain(...) gives them their numbers, change only these";
    for (const std::vector<double>& list : {std::vector<double>{}, {0.5}, {0.5, 0.5, 0.5}}) {
        refused([&](cr::ipopt_model& model) { model.start = list; }, of_variables);
        refused([&](cr::ipopt_model& model) { model.lower = list; }, of_variables);
        refused([&](cr::ipopt_model& model) { model.upper = list; }, of_variables);
    }
    for (const std::vector<double>& list : {std::vector<double>{}, {0.5, 0.5}}) {
        refused([&](cr::ipopt_model& model) { model.constraint_lower = list; }, of_constraints);
        refused([&](cr::ipopt_model& model) { model.constraint_upper = list; }, of_constraints);
    }

    // The number of variables is that of make_ipopt_model(n), also while a list has another length.
    const auto model = cr::make_ipopt_model(2);
    model->start.clear();
    model->minimise(distance, 0);
    model->start = {0.5, 0.5};
    solve(*model);
    REQUIRE(model->status == Ipopt::SUCCESS);
    CHECK(std::abs(model->solution[1] - 2.0) < 1e-6);

    model->lower[0] = 1.0;
    model->upper[0] = 0.0;
    CHECK(solve(*model) == Ipopt::Unrecoverable_Exception);
    CHECK(model->status == Ipopt::UNASSIGNED);
    CHECK(std::isnan(model->objective));
}

TEST_CASE("multipliers to start from are none or one per constraint") {
    const auto model = cr::make_ipopt_model(2);
    model->constrain(cr::function([](auto u, auto v) { return std::array{u + v, u * v}; }), 0, 0.0, 4.0);
    std::vector<double> x(2), multipliers(2, 42.0);
    const auto ask_for_start = [&] {
        return model->get_starting_point(2, true, x.data(), false, nullptr, nullptr, 2, true, multipliers.data());
    };
    for (const std::size_t size : {1u, 3u}) {
        model->multipliers.assign(size, 7.0);
        CHECK(sentence_of(ask_for_start) == "ipopt_model: the multipliers to start from are not one per constraint; "
                                            "give as many, or none for zeros");
        CHECK(multipliers == std::vector{42.0, 42.0});
    }
    model->multipliers = {3.0, 5.0};
    CHECK(ask_for_start());
    CHECK(multipliers == std::vector{3.0, 5.0});
    model->multipliers.clear();
    CHECK(ask_for_start());
    CHECK(multipliers == std::vector{0.0, 0.0});
}

TEST_CASE("places are lists of any integers, and each value may have bounds of its own") {
    const auto rotated = cr::function([](auto u, auto v) { return std::array{u + v, u - v}; });
    const auto distance = cr::function([](auto u, auto v) { return (u - 3.0) * (u - 3.0) + (v - 1.0) * (v - 1.0); });
    const auto solved = [&](const auto& places) {
        const auto model = cr::make_ipopt_model(3);
        model->start = {0.5, 0.5, 0.5};
        model->minimise(distance, places);
        CHECK(model->constrain(rotated, places, {-4.0, 0.5}, {3.0, 1.0}) == 0);
        CHECK(model->constraint_lower == std::vector{-4.0, 0.5});
        CHECK(model->constraint_upper == std::vector{3.0, 1.0});
        solve(*model);
        REQUIRE(model->status == Ipopt::SUCCESS);
        return model->solution;
    };
    for (const std::vector<double>& x : {solved(std::vector<int>{2, 0}), solved(std::vector<std::size_t>{2, 0}),
                                         solved(std::array<std::size_t, 2>{2, 0}), solved(std::array{2L, 0L})}) {
        CHECK(std::abs(x[2] - 2.0) < 1e-6); // where u + v = 3 and u - v = 1
        CHECK(std::abs(x[0] - 1.0) < 1e-6);
    }
    const auto model = cr::make_ipopt_model(3);
    CHECK(model->constrain(rotated, {0, 1}, {1.0, 2.0}, {3.0, 4.0}) == 0);
    CHECK(model->constrain(rotated, 1, {1.0, 2.0}, {3.0, 4.0}) == 2);
    CHECK(sentence_of([&] { model->constrain(rotated, std::vector{0, 1, 2}, 0.0, 1.0); }) ==
          "constrain: there are 3 numbers of variables for a function of 2 inputs; give one for each");
    CHECK(contains(sentence_of([&] { model->minimise(distance, std::vector{0, -1}); }), "is not below the number"));
    const std::string crossed = "constrain: a lower bound is above the upper one, or one is not a number; give the "
                                "lower bounds first";
    CHECK(sentence_of([&] { model->constrain(rotated, 0, 1.0, 0.0); }) == crossed);
    CHECK(sentence_of([&] { model->constrain(rotated, 0, {0.0, 1.0}, {1.0, std::nan("")}); }) == crossed);
    CHECK(model->constraint_lower.size() == 4); // as before the refused ones
}
