// SPDX-License-Identifier: BSL-1.0
//
// Tape mode and forward mode against other derivatives: every function of the table at seeded points of its domain;
// modes_*.cpp share the rows among them, and modes.cpp does the same for random expressions.
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/functions/domains.hpp>
#include <chainrule/special_functions.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>
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

/// A function of N variables, by a kernel and in every number type that the other modes take. So the comparison is
/// compiled once for each N and not for each function.
template <std::size_t N>
struct in_every_mode {
    template <class P>
    using number = std::remove_cvref_t<decltype(std::declval<P>()[0])>;
    template <class P>
    using at = number<P> (*)(const P&);
    using by_directions = std::vector<tape::active<cr::dual<double, 4>>>;
    using by_direction = std::vector<tape::active<cr::dual<double>>>;

    void (*kernel)(const std::array<double, N>& p, double& value, std::array<double, N>& gradient,
                   std::array<std::array<double, N>, N>& hessian);
    std::tuple<at<std::array<double, N>>, at<std::array<cr::dual<double, N>, N>>,
               at<std::array<tape::active<double>, N>>, at<by_directions>, at<by_direction>>
        in;

    template <class P>
    number<P> operator()(const P& p) const {
        return std::get<at<P>>(in)(p);
    }
};

/// Compares forward mode, tape mode and second derivatives by both with a kernel of the compile-time half.
template <std::size_t N>
void check_modes(const in_every_mode<N>& f, const std::array<double, N>& at) {
    double value = 0;
    std::array<double, N> gradient{};
    std::array<std::array<double, N>, N> hessian{};
    f.kernel(at, value, gradient, hessian);
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
            CHECK(second.hessian(i, j) ==
                  Approx(hessian[i][j]).epsilon(1e-11).margin(1e-12 * (1 + std::abs(gradient[i]))));
            row += hessian[i][j];
            size += std::abs(hessian[i][j]);
        }
        CHECK(product[i] == Approx(row).margin(1e-11 * (1 + size + std::abs(gradient[i]))));
    }
}

/// The row's function of 3 x + 1, 3 y + 1 and 3 z + 1.
template <class Row, class P>
auto called(const P& p) -> typename in_every_mode<Row::arity>::template number<P> {
    using cr::expression;
    const auto u = 3.0 * p[0] + 1.0;
    using operand = std::remove_cvref_t<decltype(u)>;
    if constexpr (Row::arity == 1) {
        if constexpr (expression<operand>)
            return typename cr::unary<Row, operand>::node{{u}};
        else
            return Row::value(u);
    } else if constexpr (Row::arity == 2) {
        const auto v = 3.0 * p[1] + 1.0;
        if constexpr (expression<operand>)
            return cr::expressions::joined<typename cr::binary<Row, operand, operand>::node>(u, v);
        else
            return Row::value(u, v);
    } else {
        const auto v = 3.0 * p[1] + 1.0, w = 3.0 * p[2] + 1.0;
        if constexpr (expression<operand>)
            return cr::expressions::joined<cr::expressions::node_of<Row, operand, operand, operand>>(u, v, w);
        else
            return Row::value(u, v, w);
    }
}

template <class Row>
constexpr auto kernel_of_row() {
    if constexpr (Row::arity == 1)
        return cr::function(typename cr::unary<Row, decltype(3_c * x + 1_c)>::node{}, cr::wrt(x));
    else if constexpr (Row::arity == 2)
        return cr::function(typename cr::binary<Row, decltype(3_c * x + 1_c), decltype(3_c * y + 1_c)>::node{},
                            cr::wrt(x, y));
    else
        return cr::function(
            cr::expressions::node_of<Row, decltype(3_c * x + 1_c), decltype(3_c * y + 1_c), decltype(3_c * z + 1_c)>{},
            cr::wrt(x, y, z));
}

template <class Row>
void check_row() {
    constexpr std::size_t count = Row::arity;
    in_every_mode<count> f{};
    f.kernel = [](const std::array<double, count>& p, double& value, std::array<double, count>& gradient,
                  std::array<std::array<double, count>, count>& hessian) {
        const auto found = kernel_of_row<Row>().value_gradient_and_hessian(p);
        value = found.value;
        for (std::size_t i = 0; i < count; ++i) {
            gradient[i] = found.gradient[i];
            for (std::size_t j = 0; j < count; ++j) hessian[i][j] = found.hessian[i][j];
        }
    };
    const auto set = []<class P>(typename in_every_mode<count>::template number<P> (*&in)(const P&)) {
        in = called<Row, P>;
    };
    std::apply([&](auto&... in) { (set(in), ...); }, f.in);

    std::mt19937_64 random(11);
    for (const auto& box : functions::boxes_of<Row>)
        for (int i = 0; i < 20; ++i) {
            std::array<double, count> at;
            for (std::size_t k = 0; k < count; ++k) {
                const double part = std::uniform_real_distribution<double>(0.05, 0.95)(random);
                at[k] = (box[k].low + (box[k].high - box[k].low) * part - 1) / 3;
            }
            check_modes(f, at);
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
