// SPDX-License-Identifier: BSL-1.0
//
// Do tape mode and forward mode agree with the other ways to a derivative? Every function of the table at seeded points
// of its domain; modes_*.cpp share the rows among them, and modes.cpp does the same for random expressions.
#pragma once

#include "../catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace functions = chainrule::functions;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

Approx near(double v) { return Approx(v).epsilon(1e-13).margin(1e-14); }

/// Compares forward mode, tape mode and second derivatives by both with a kernel of the compile-time half.
template <std::size_t N, class F, class Generic>
void check_modes(const F& kernel, const Generic& f, const std::array<double, N>& at) {
    const auto [value, gradient, hessian] = kernel.value_gradient_and_hessian(at);
    CHECK(f(at) == value);

    std::array<cr::dual<double, N>, N> forward;
    for (std::size_t i = 0; i < N; ++i) forward[i] = cr::dual<double, N>::variable(at[i], i);
    const cr::dual<double, N> d = f(forward);
    CHECK(d.value == value);

    tape::tape t;
    std::array<tape::active<double>, N> recorded;
    for (std::size_t i = 0; i < N; ++i) recorded[i] = t.variable(at[i]);
    const tape::active<double> r = f(recorded);
    CHECK(r.value() == value);
    CHECK(t.memory().statements == N + 1);
    t.backward(r);

    const auto second = tape::hessian(f, std::vector<double>(at.begin(), at.end()));
    const std::vector<double> ones(N, 1.0);
    const auto product = tape::hessian_vector_product(f, std::vector<double>(at.begin(), at.end()), ones);
    CHECK(second.value == value);
    for (std::size_t i = 0; i < N; ++i) {
        CAPTURE(i);
        CHECK(d.tangents[i] == near(gradient[i]));
        CHECK(recorded[i].gradient() == near(gradient[i]));
        CHECK(second.gradient[i] == near(gradient[i]));
        double row = 0, size = 0;
        for (std::size_t j = 0; j < N; ++j) {
            CHECK(second.hessian(i, j) == Approx(hessian[i][j]).epsilon(1e-11).margin(1e-12 * (1 + std::abs(gradient[i]))));
            row += hessian[i][j];
            size += std::abs(hessian[i][j]);
        }
        CHECK(product[i] == Approx(row).margin(1e-11 * (1 + size + std::abs(gradient[i]))));
    }
}

template <class Row>
void check_row() {
    std::mt19937_64 random(11);
    const auto draw = [&](int k) {
        const functions::interval domain = Row::domain[k];
        return domain.low + (domain.high - domain.low) * std::uniform_real_distribution<double>(0.05, 0.95)(random);
    };
    for (int i = 0; i < 20; ++i) {
        if constexpr (Row::arity == 1) {
            constexpr auto node = typename cr::unary<Row, decltype(3_c * x + 1_c)>::node{};
            const auto f = [](const auto& p) {
                const auto u = 3.0 * p[0] + 1.0;
                if constexpr (cr::expression<std::remove_cvref_t<decltype(u)>>)
                    return typename cr::unary<Row, std::remove_cvref_t<decltype(u)>>::node{{u}};
                else
                    return Row::value(u);
            };
            check_modes<1>(cr::function(node, cr::wrt(x)), f, {(draw(0) - 1) / 3});
        } else if constexpr (Row::arity == 3) {
            constexpr auto node =
                cr::expressions::node_of<Row, decltype(3_c * x + 1_c), decltype(3_c * y + 1_c), decltype(3_c * z + 1_c)>{};
            const auto f = [](const auto& p) {
                const auto u = 3.0 * p[0] + 1.0, v = 3.0 * p[1] + 1.0, w = 3.0 * p[2] + 1.0;
                using operand = std::remove_cvref_t<decltype(u)>;
                if constexpr (cr::expression<operand>)
                    return cr::expressions::joined<cr::expressions::node_of<Row, operand, operand, operand>>(u, v, w);
                else
                    return Row::value(u, v, w);
            };
            check_modes<3>(cr::function(node, cr::wrt(x, y, z)), f, {(draw(0) - 1) / 3, (draw(1) - 1) / 3, (draw(2) - 1) / 3});
        } else {
            constexpr auto node = typename cr::binary<Row, decltype(3_c * x + 1_c), decltype(3_c * y + 1_c)>::node{};
            const auto f = [](const auto& p) {
                const auto u = 3.0 * p[0] + 1.0, v = 3.0 * p[1] + 1.0;
                using operand = std::remove_cvref_t<decltype(u)>;
                if constexpr (cr::expression<operand>)
                    return typename cr::binary<Row, operand, operand>::node{{u, v}};
                else
                    return Row::value(u, v);
            };
            check_modes<2>(cr::function(node, cr::wrt(x, y)), f, {(draw(0) - 1) / 3, (draw(1) - 1) / 3});
        }
    }
}

/// Checks one of every `Parts` rows.
template <unsigned Part, unsigned Parts>
void check_rows() {
    const auto one = []<class R>(R) {
        if constexpr (R::position % Parts == Part) {
            DYNAMIC_SECTION(R::name) { check_row<R>(); }
        }
    };
    [&]<class... Row>(functions::row_list<Row...>) { (one(Row{}), ...); }(functions::all{});
}

} // namespace
