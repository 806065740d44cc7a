// SPDX-License-Identifier: BSL-1.0
//
// Traced code whose arguments and results are structs, arrays of arrays, and templates of matrices.
#include <chainrule/chainrule.hpp>
#include <chainrule/tape.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <tuple>

namespace {

namespace cr = chainrule;

template <class T>
struct state {
    T x, v;
    friend constexpr bool operator==(const state&, const state&) = default;
};
template <class T>
struct body {
    std::array<T, 3> position;
    T mass;
    state<T> spin;
};
template <class T, int Rows, int Columns>
struct matrix {
    std::array<std::array<T, Columns>, Rows> rows;
    constexpr const T& operator()(std::size_t i, std::size_t j) const { return rows[i][j]; }
};

// g++ compiles these comparisons with the class.
template <class T>
struct interval {
    T from, to;
    constexpr bool operator==(const interval& other) const {
        return from == other.from && !(to != other.to || from != other.from);
    }
};
template <class T>
struct tile {
    std::array<T, 2> corner;
    interval<T> height;
    T weight;
    constexpr bool operator==(const tile&) const = default;
};

constexpr auto energy = cr::function<state<double>>([](const auto& s) { return 0.5 * s.v * s.v + 1.0 - cos(s.x); });

TEST_CASE("a struct as the argument, and its gradient as the same struct") {
    const state<double> at{0.3, -2.0};
    CHECK(energy(at) == 0.5 * -2.0 * -2.0 + 1.0 - std::cos(0.3));
    const state<double> gradient = energy.gradient(at);
    CHECK(gradient.x == std::sin(0.3));
    CHECK(gradient.v == -2.0);
    const auto [value, same] = energy.value_and_gradient(at);
    CHECK(value == energy(at));
    CHECK(same == gradient);
    const auto both = energy.value_and_gradient(at);
    CHECK(both.value == energy(at));
    CHECK(both.gradient == gradient);
    CHECK(energy.hessian(at)[0][0] == std::cos(0.3));
    // As any positional function.
    CHECK(energy(0.3, -2.0) == energy(at));
    CHECK(energy.gradient(std::array{0.3, -2.0})[1] == -2.0);
    // In the type of its numbers.
    const state<float> single = energy.gradient(state<float>{0.3f, -2.0f});
    CHECK(single.x == std::sin(0.3f));
}

TEST_CASE("structs with comparisons that the code does not call") {
    constexpr auto volume = cr::function<tile<double>>(
        [](const auto& t) { return t.weight * t.corner[0] * t.corner[1] * (t.height.to - t.height.from); });
    const tile<double> at{{2.0, 3.0}, {1.0, 5.0}, 0.5};
    CHECK(volume(at) == 12);
    CHECK(volume.gradient(at) == tile<double>{{6.0, 4.0}, {-3.0, 3.0}, 24.0});
    // Also of a struct that only the code knows; its conditions are those of others.
    constexpr auto chosen = cr::function([](auto a, auto b) {
        const tile<decltype(a)> t{{a, b}, {b, a}, a * b};
        auto same = t.corner[0] == t.corner[1];
        same = same || !(t.weight != 2) || (a == 3 && b == 4) || b < 0;
        return cr::select(same && t.height.from == b, t.weight, -t.weight);
    });
    CHECK(chosen(3.0, 3.0) == 9);
    CHECK(chosen(1.0, 2.0) == 2);
    CHECK(chosen(3.0, 4.0) == 12);
    CHECK(chosen(3.0, -4.0) == -12);
    CHECK(chosen(3.0, 5.0) == -15);
}

TEST_CASE("structs as results") {
    constexpr auto rhs = cr::function<state<double>, double>([](const auto& s, const auto& mu) {
        return state<std::remove_cvref_t<decltype(mu)>>{s.v, mu * (1.0 - s.x * s.x) * s.v - s.x};
    });
    const state<double> slope = rhs(state<double>{0.5, 2.0}, 3.0);
    CHECK(slope == state<double>{2.0, 3.0 * (1.0 - 0.5 * 0.5) * 2.0 - 0.5});
    const auto jacobian = rhs.jacobian(state<double>{0.5, 2.0}, 3.0);
    CHECK(jacobian[0] == std::array{0.0, 1.0, 0.0});
    CHECK(jacobian[1][2] == 0.75 * 2.0);
    // A struct that the code of another form returns is the list of its numbers.
    constexpr auto flat = cr::function([](auto u) { return state<decltype(u)>{u, 2 * u}; });
    CHECK(flat(3.0) == std::array{3.0, 6.0});
}

TEST_CASE("nested structs, and several arguments") {
    constexpr auto F = cr::function<body<double>, double>(
        [](const auto& b, const auto& g) { return b.mass * g * b.position[2] + b.spin.x * b.spin.v * b.position[0]; });
    const body<double> at{{1.0, 2.0, 3.0}, 4.0, {5.0, 6.0}};
    CHECK(F(at, 10.0) == 4.0 * 10.0 * 3.0 + 5.0 * 6.0 * 1.0);
    const auto [by_body, by_g] = F.gradient(at, 10.0);
    CHECK(by_body.position == std::array{30.0, 0.0, 40.0});
    CHECK(by_body.mass == 30.0);
    CHECK(by_body.spin == state<double>{6.0, 5.0});
    CHECK(by_g == 12.0);
    CHECK(std::get<0>(F.value_and_gradient(at, 10.0).gradient).mass == 30.0);
}

TEST_CASE("matrices as arguments and results") {
    using square = std::array<std::array<double, 2>, 2>;
    constexpr auto determinant =
        cr::function<square>([](const auto& a) { return a[0][0] * a[1][1] - a[0][1] * a[1][0]; });
    CHECK(determinant(square{{{1.0, 2.0}, {3.0, 4.0}}}) == -2.0);
    CHECK(determinant.gradient(square{{{1.0, 2.0}, {3.0, 4.0}}}) == square{{{4.0, -3.0}, {-2.0, 1.0}}});

    constexpr auto product =
        cr::function<matrix<double, 2, 3>, std::array<double, 3>>([](const auto& a, const auto& v) {
            std::array<std::remove_cvref_t<decltype(v[0])>, 2> r{};
            for (std::size_t i = 0; i < 2; ++i)
                for (std::size_t j = 0; j < 3; ++j) r[i] += a(i, j) * v[j];
            return matrix<std::remove_cvref_t<decltype(v[0])>, 1, 2>{{r}};
        });
    const matrix<double, 2, 3> a{{{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}}};
    const matrix<double, 1, 2> r = product(a, std::array{1.0, 10.0, 100.0});
    CHECK(r.rows[0] == std::array{321.0, 654.0});
    CHECK(product.jacobian(a, std::array{1.0, 10.0, 100.0})[1][4] == 10.0);
}

TEST_CASE("arguments in braces") {
    CHECK(energy({0.3, -2.0}) == energy(state<double>{0.3, -2.0}));
    CHECK(energy.gradient({0.3, -2.0}).v == -2.0);
    CHECK(energy.value_and_gradient({0.0, -2.0}).gradient.v == -2.0);
    CHECK(energy.hessian({0.0, -2.0}) == std::array{std::array{1.0, 0.0}, std::array{0.0, 1.0}});
    CHECK(energy.jvp({0.3, -2.0}, {0.0, 3.0}) == -6.0);
    CHECK(energy.hvp({0.0, -2.0}, {2.0, 3.0}) == state<double>{2.0, 3.0});
    CHECK(energy(state<float>{0.0f, 2.0f}) == 2.0f);

    constexpr auto F = cr::function<body<double>, double>(
        [](const auto& b, const auto& g) { return b.mass * g * b.position[2] + b.spin.x * b.spin.v * b.position[0]; });
    CHECK(F({{1.0, 2.0, 3.0}, 4.0, {5.0, 6.0}}, 10.0) == 4.0 * 10.0 * 3.0 + 5.0 * 6.0 * 1.0);
    CHECK(std::get<0>(F.gradient({{1.0, 2.0, 3.0}, 4.0, {5.0, 6.0}}, 10.0)).mass == 30.0);

    using square = std::array<std::array<double, 2>, 2>;
    constexpr auto determinant =
        cr::function<square>([](const auto& a) { return a[0][0] * a[1][1] - a[0][1] * a[1][0]; });
    CHECK(determinant({{{1.0, 2.0}, {3.0, 4.0}}}) == -2.0);
    CHECK(determinant.gradient({{{1.0, 2.0}, {3.0, 4.0}}}) == square{{{4.0, -3.0}, {-2.0, 1.0}}});
}

TEST_CASE("structs of active numbers: one statement on the tape") {
    cr::tape::tape t;
    const auto x = t.variable(0.3), v = t.variable(-2.0);
    const auto before = t.memory().statements;
    const auto e = energy(state<cr::tape::active<double>>{x, v});
    CHECK(t.memory().statements == before + 1);
    t.backward(e);
    CHECK(x.gradient() == std::sin(0.3));
    CHECK(v.gradient() == -2.0);
}

} // namespace
