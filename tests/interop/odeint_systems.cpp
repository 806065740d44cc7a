// SPDX-License-Identifier: BSL-1.0
//
// Boost.Odeint with systems from functions, and with states of dual and active numbers in steppers that control their
// step: solutions and their derivatives are known.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/interop/odeint.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <boost/numeric/odeint/integrate/integrate_adaptive.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include <array>
#include <cmath>
#include <vector>

#include "sentence.hpp"

namespace cr = chainrule;
namespace odeint = boost::numeric::odeint;

namespace {

template <class State>
using stepper = odeint::runge_kutta_dopri5<State, double, State, double>;

template <class State, class System>
std::size_t integrate(const System& system, State& state, double until) {
    return odeint::integrate_adaptive(odeint::make_controlled<stepper<State>>(1e-12, 1e-12), system, state, 0.0, until,
                                      0.01);
}

// x'' = -k x from x = a at rest: a cos(sqrt(k) t).
struct oscillator {
    double k, a, t, root = std::sqrt(k);
    double position() const { return a * std::cos(root * t); }
    double by_a() const { return std::cos(root * t); }
    double by_k() const { return -a * t * std::sin(root * t) / (2 * root); }
};
constexpr oscillator known{2.0, 1.5, 3.0, 1.41421356237309505};

} // namespace

TEST_CASE("a system is a function of the state, and of the time where it has one input more") {
    constexpr auto still = cr::function([](auto x, auto v) { return std::array{v, -2.0 * x}; });
    std::array<double, 2> state{known.a, 0.0};
    integrate(cr::odeint_system(still).first, state, known.t);
    CHECK(std::abs(state[0] - known.position()) < 1e-9);

    constexpr auto driven = cr::function([](auto x, auto t) { return std::array{cos(t) * x}; });
    std::vector<double> one{1.0};
    integrate(cr::odeint_system(driven).first, one, 2.0);
    CHECK(std::abs(one[0] - std::exp(std::sin(2.0))) < 1e-9);
}

TEST_CASE(
    "the Jacobian of a system, and its derivative with respect to time, are written as implicit steppers read them") {
    constexpr auto F = cr::function([](auto x, auto v, auto t) { return std::array{v * t, -x * v}; });
    const auto [slope, jacobian] = cr::odeint_system(F);
    std::array<double, 2> dxdt{}, by_time{};
    std::array<std::array<double, 2>, 2> entries{};
    const auto matrix = [&](std::size_t i, std::size_t j) -> double& { return entries[i][j]; };
    const std::array state{3.0, 5.0};
    slope(state, dxdt, 7.0);
    jacobian(state, matrix, 7.0, by_time);
    CHECK(dxdt == std::array{35.0, -15.0});
    CHECK(entries == std::array{std::array{0.0, 7.0}, std::array{-5.0, -3.0}});
    CHECK(by_time == std::array{5.0, 0.0});
}

TEST_CASE("states of another size are refused before anything is read or written") {
    constexpr auto F = cr::function([](auto x, auto v) { return std::array{v, -x}; });
    const auto system = cr::odeint_system(F);
    const std::vector<double> right{1.0, 2.0}, untouched{42.0, 42.0};
    std::array<std::array<double, 2>, 2> entries{};
    const auto matrix = [&](std::size_t i, std::size_t j) -> double& { return entries[i][j]; };
    for (const std::size_t size : {0u, 1u, 3u}) {
        std::vector<double> state(size, 1.0), written = untouched, other(size);
        CHECK(sentence_of([&] { system.first(state, written, 0.0); }) ==
              "odeint_system: the state or its derivative does not have one number per value of the function; give it "
              "that many");
        CHECK_THROWS_AS(system.first(right, other, 0.0), cr::wrong_size);
        CHECK_THROWS_AS(system.second(state, matrix, 0.0, written), cr::wrong_size);
        CHECK_THROWS_AS(system.second(right, matrix, 0.0, other), cr::wrong_size);
        CHECK_THROWS_AS(integrate(system.first, state, 1.0), cr::wrong_size);
        CHECK(state == std::vector<double>(size, 1.0));
        CHECK(written == untouched);
        CHECK(other == std::vector<double>(size));
    }
    CHECK(entries == std::array<std::array<double, 2>, 2>{});
}

TEST_CASE("a state of dual numbers takes the steps of plain numbers and carries the derivatives") {
    const auto [a, k] = cr::dual_variables(known.a, known.k);
    using number = std::remove_cvref_t<decltype(a)>;
    std::array<number, 2> state{a, number(0.0)};
    const auto steps = integrate(
        [&stiffness = k](const auto& x, auto& dxdt, double) {
            dxdt[0] = x[1];
            dxdt[1] = -stiffness * x[0];
        },
        state, known.t);
    CHECK(std::abs(state[0].value - known.position()) < 1e-9);
    CHECK(std::abs(state[0].tangents[0] - known.by_a()) < 1e-9);
    CHECK(std::abs(state[0].tangents[1] - known.by_k()) < 1e-8);

    // Other algebras of Odeint, for vectors and with nested numbers.
    using nested = cr::dual<number>;
    std::vector<nested> in_vector{nested(a), nested(0.0)};
    in_vector[0].tangents[0] = 1.0;
    const auto nested_steps = integrate(
        [&stiffness = k](const auto& x, auto& dxdt, double) {
            dxdt[0] = x[1];
            dxdt[1] = -stiffness * x[0];
        },
        in_vector, known.t);
    CHECK(nested_steps == steps);
    CHECK(in_vector[0].value.value == state[0].value);
    CHECK(in_vector[0].value.tangents == state[0].tangents);
    CHECK(std::abs(in_vector[0].tangents[0].value - known.by_a()) < 1e-9);

    std::array<double, 2> plain{known.a, 0.0};
    const auto plain_steps = integrate(
        [](const auto& x, auto& dxdt, double) {
            dxdt[0] = x[1];
            dxdt[1] = -known.k * x[0];
        },
        plain, known.t);
    CHECK(steps == plain_steps);
    CHECK(state[0].value == plain[0]);
}

TEST_CASE("a state of active numbers is recorded through the accepted steps") {
    namespace tape = cr::tape;
    tape::tape t;
    const auto a = t.variable(known.a), k = t.variable(known.k);
    std::vector<tape::active<double>> state{a, 0.0};
    integrate(
        [&](const auto& x, auto& dxdt, double) {
            dxdt[0] = x[1];
            dxdt[1] = -k * x[0];
        },
        state, known.t);
    t.backward(state[0]);
    CHECK(std::abs(state[0].value() - known.position()) < 1e-9);
    CHECK(std::abs(a.gradient() - known.by_a()) < 1e-9);
    CHECK(std::abs(k.gradient() - known.by_k()) < 1e-8);
}

TEST_CASE("a system takes states of dual numbers, and its Jacobian does") {
    // x'' = -2 x.
    constexpr auto F = cr::function([](auto x, auto v) { return std::array{v, -2.0 * x}; });
    const auto [a] = cr::dual_variables(known.a);
    using number = std::remove_cvref_t<decltype(a)>;
    std::array<number, 2> state{a, number(0.0)};
    std::array<double, 2> plain{known.a, 0.0};
    CHECK(integrate(cr::odeint_system(F).first, state, known.t) ==
          integrate(cr::odeint_system(F).first, plain, known.t));
    CHECK(state[0].value == plain[0]);
    CHECK(std::abs(state[0].tangents[0] - known.by_a()) < 1e-9);

    constexpr auto G = cr::function([](auto x, auto v, auto t) { return std::array{v * t, -x * v}; });
    const auto [x, v] = cr::dual_variables(3.0, 5.0);
    using pair = std::remove_cvref_t<decltype(x)>;
    const std::array at{x, v};
    std::array<pair, 2> dxdt{}, by_time{};
    std::array<std::array<pair, 2>, 2> entries{};
    cr::odeint_system(G).first(at, dxdt, 7.0);
    const auto matrix = [&](std::size_t i, std::size_t j) -> pair& { return entries[i][j]; };
    cr::odeint_system(G).second(at, matrix, 7.0, by_time);
    CHECK(dxdt[1].value == -15.0);
    CHECK(dxdt[1].tangents == std::array{-5.0, -3.0});
    CHECK(entries[0][1].value == 7.0);
    CHECK(entries[0][1].tangents == std::array{0.0, 0.0});
    CHECK(entries[1][0].value == -5.0);
    CHECK(entries[1][0].tangents == std::array{0.0, -1.0});
    CHECK(by_time[0].value == 5.0);
    CHECK(by_time[0].tangents == std::array{0.0, 1.0});
    // As implicit_euler calls it: without the derivative with respect to time.
    const auto all = entries;
    entries = {};
    cr::odeint_system(G).second(at, matrix, 7.0);
    CHECK(entries[1][0].value == all[1][0].value);
    CHECK(entries[0][1].tangents == all[0][1].tangents);
}

TEST_CASE("a system takes states of active numbers") {
    namespace tape = cr::tape;
    constexpr auto F = cr::function([](auto x, auto v, auto t) { return std::array{v, -2.0 * x + 0.0 * t}; });
    tape::tape t;
    const auto a = t.variable(known.a);
    std::vector<tape::active<double>> state{a, 0.0};
    integrate(cr::odeint_system(F).first, state, known.t);
    t.backward(state[0]);
    CHECK(std::abs(state[0].value() - known.position()) < 1e-9);
    CHECK(std::abs(a.gradient() - known.by_a()) < 1e-9);

    constexpr auto G = cr::function([](auto x, auto v) { return std::array{x * v, -x}; });
    const std::vector<tape::active<double>> at{t.variable(3.0), t.variable(5.0)};
    std::vector<tape::active<double>> by_time(2), entries(4);
    const auto matrix = [&](std::size_t i, std::size_t j) -> auto& { return entries[2 * i + j]; };
    cr::odeint_system(G).second(at, matrix, 0.0, by_time);
    t.backward(entries[0]);
    CHECK(entries[0].value() == 5.0);
    CHECK(at[0].gradient() == 0.0);
    CHECK(at[1].gradient() == 1.0);
}

TEST_CASE("a system takes states of replayable numbers") {
    namespace tape = cr::tape;
    constexpr auto F = cr::function([](auto x, auto v) { return std::array{v, -2.0 * x}; });
    const auto position = [F](const auto& start) {
        using T = std::remove_cvref_t<decltype(start[0])>;
        std::vector<T> state{start[0], T(0.0)};
        integrate(cr::odeint_system(F).first, state, known.t);
        return state[0];
    };
    const std::array at{known.a};
    const auto expected = tape::gradient(position, at);
    CHECK(std::abs(expected[0] - known.by_a()) < 1e-9);
    auto recorded = tape::record(position, at);
    CHECK(recorded(at) == position(at));
    CHECK(std::abs(recorded.gradient(at)[0] - expected[0]) < 1e-12);
    // Elsewhere the stepper takes other steps.
    CHECK(contains(sentence_of([&] { (void)recorded(std::array{2.0}); }), "record it again"));
}

TEST_CASE("a system takes states of float") {
    constexpr auto F = cr::function([](auto x) { return -x; });
    const std::array state{2.0f};
    std::array<double, 1> slope{};
    cr::odeint_system(F).first(state, slope, 0.0);
    CHECK(slope[0] == -2.0);
}

TEST_CASE("the tolerances and the time of a stepper may be numbers with derivatives, too") {
    using number = cr::dual<double>;
    using state = std::vector<number>;
    state x{number(known.a, {1.0}), number(0.0)};
    const auto system = [](const state& at, state& dxdt, const number&) {
        dxdt[0] = at[1];
        dxdt[1] = -known.k * at[0];
    };
    odeint::integrate_adaptive(odeint::make_controlled(number(1e-10), number(1e-10),
                                                       odeint::runge_kutta_dopri5<state, number, state, number>()),
                               system, x, number(0.0), number(known.t), number(0.01));
    CHECK(std::abs(x[0].value - known.position()) < 1e-8);
    CHECK(std::abs(x[0].tangents[0] - known.by_a()) < 1e-8);
}
