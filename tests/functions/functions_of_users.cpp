// SPDX-License-Identifier: BSL-1.0
//
// Function templates of a program that bear names of the table and mean something else: numbers of every kind take the
// program's if it has two or three parameters of one type.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>
#include <chainrule/tape/eager.hpp>
#include <chainrule/tape/replay.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace program {

// As in Perlin's noise: the weight comes first.
template <class T>
constexpr T lerp(T t, T a, T b) {
    return a + t * (b - a);
}
template <class T>
constexpr T weighted(const T& w, const T& x) {
    return w * x + 1.0;
}
template <class T>
constexpr T hypot(const T& x, const T& y) {
    return x * x + y * y;
}
// The library's.
template <class T>
constexpr T max(const T& a, const T& b) {
    using std::max;
    return max(a, b) * weighted(a, b);
}

constexpr auto f = [](const auto& v) {
    using T = std::remove_cvref_t<decltype(v[0])>;
    const T u = v[0] * v[0] * (3.0 - 2.0 * v[0]);
    const T first = lerp(u, T(v[0] + v[1]), T(v[0] * v[1])), second = weighted(v[0], v[1]);
    return T(lerp(u, first, second) * hypot(v[1], first) + ::program::max(v[0], v[1]));
};

} // namespace program

TEST_CASE("templates of a program with names of the table are its own for numbers of every kind") {
    namespace cr = chainrule;
    namespace tape = chainrule::tape;
    using program::f;
    const std::array at{0.3, 0.6};
    const double value = f(at);
    std::array<double, 2> slopes{};
    for (std::size_t i = 0; i < 2; ++i) {
        auto up = at, down = at;
        up[i] += 1e-5;
        down[i] -= 1e-5;
        slopes[i] = (f(up) - f(down)) / 2e-5;
    }
    const auto check = [&](double found, const auto& gradient) {
        CHECK(found == Approx(value));
        for (std::size_t i = 0; i < 2; ++i) CHECK(gradient[i] == Approx(slopes[i]).epsilon(1e-8));
    };
    const auto traced = cr::function<2>(f).value_and_gradient(at);
    check(traced.value, traced.gradient);
    const auto taped = tape::value_and_gradient(f, at);
    check(taped.value, taped.gradient);
    const auto eager = tape::value_and_gradient(tape::eagerly(f), at);
    check(eager.value, eager.gradient);
    const auto replayed = tape::record(f, at).value_and_gradient(at);
    check(replayed.value, replayed.gradient);
    const auto second = tape::hessian(f, at);
    check(second.value, second.gradient);
    using number = cr::dual<double, 2>;
    const number by_dual = f(std::array{number::variable(at[0], 0), number::variable(at[1], 1)});
    check(by_dual.value, by_dual.tangents);
}
