// SPDX-License-Identifier: BSL-1.0
//
// Traced functions: the derivatives of one value, against the typed function of the same formula, in every type of
// number.
#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include "catch.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace {

namespace cr = chainrule;
using namespace cr::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

constexpr auto code = [](auto u, auto v, auto w) {
    using std::exp, std::log, std::max, std::pow, std::sin, std::sqrt;
    auto b = exp(-0.3 * u) + pow(v, 2);
    auto s = 0.1 * b;
    for (int i = 1; i < 4; ++i) s += sin(u * i) * v / (1.0 + w * w);
    return log(b) * s - sqrt(1.0 + v * v) + max(u, w);
};
constexpr auto F = cr::function(code);
constexpr auto b = exp(-0.3_c * x) + pow(y, 2_c);
constexpr auto f = log(b) * (0.1_c * b + sin(x * 1_c) * y / (1_c + z * z) + sin(x * 2_c) * y / (1_c + z * z) +
                             sin(x * 3_c) * y / (1_c + z * z)) -
                   sqrt(1_c + y * y) + max(x, z);
constexpr auto G = cr::function(f, cr::wrt(x, y, z));

template <class T>
void check(T u, T v, T w) {
    const std::array<T, 3> at{u, v, w}, d{T(0.5), T(-1), T(2)};
    CHECK(F(at) == G(at));
    CHECK(F.gradient(at) == G.gradient(at));
    CHECK(F.hessian(at) == G.hessian(at));
    CHECK(F.value_gradient_and_hessian(at).hessian == G.value_gradient_and_hessian(at).hessian);
    CHECK(F.third_derivatives(at) == G.third_derivatives(at));
    CHECK(F.jvp(at, d) == G.jvp(at, d));
    CHECK(F.vjp(at, T(2)) == G.vjp(at, T(2)));
    CHECK(F.hvp(at, d) == G.hvp(at, d));
    CHECK(F.template taylor<3>(at, d) == G.template taylor<3>(at, d));
    CHECK(F.sparse_hessian(at) == G.sparse_hessian(at));
    CHECK(F.lagrangian_hessian(at, T(3)) == G.lagrangian_hessian(at, T(3)));
}

TEST_CASE("a traced function gives the numbers of the expression, bit for bit") {
    check(0.7, 1.3, -0.4);
    check(0.7f, 1.3f, -0.4f);
    check(0.7L, 1.3L, -0.4L);
}

TEST_CASE("a value is that of the same code in plain C++") {
    for (int i = -20; i < 20; ++i) {
        const double u = 0.17 * i, v = 1 + 0.03 * i, w = 0.5 - 0.2 * i;
        const auto square = [](double a) { return a * a; };
        const double c = std::exp(-0.3 * u) + square(v);
        double s = 0.1 * c;
        for (int j = 1; j < 4; ++j) s += std::sin(u * j) * v / (1.0 + w * w);
        CHECK(F(u, v, w) == std::log(c) * s - std::sqrt(1.0 + v * v) + std::max(u, w));
    }
}

TEST_CASE("active numbers, vectors of them and dual numbers are arguments") {
    cr::tape::tape tape;
    std::vector<cr::tape::active<double>> at{tape.variable(0.7), tape.variable(1.3), tape.variable(-0.4)};
    const auto before = tape.memory().statements;
    const cr::tape::active<double> value = F(at);
    CHECK(tape.memory().statements == before + 1);
    CHECK(value.value() == F(0.7, 1.3, -0.4));
    tape.backward(value);
    const auto gradient = F.gradient(0.7, 1.3, -0.4);
    for (std::size_t i = 0; i < 3; ++i) CHECK(at[i].gradient() == gradient[i]);

    const auto [u, v, w] = cr::dual_variables(0.7, 1.3, -0.4);
    const auto moved = F(u, v, w);
    CHECK(moved.value == F(0.7, 1.3, -0.4));
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(moved.tangents[i] - gradient[i]) < 1e-14);
}

} // namespace
