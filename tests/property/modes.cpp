// SPDX-License-Identifier: BSL-1.0
//
// Do tape mode and forward mode agree with the other ways to a derivative? Every function of the table at seeded points
// of its domain, and random expressions recorded operation by operation, against an independent forward mode that bounds
// its rounding errors.
#include "../catch.hpp"

#include "random_expression.hpp"

#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <random>

// Constants of kernels come with its digits.
template <>
class std::numeric_limits<reference::tracked> : public std::numeric_limits<long double> {};

namespace reference {

template <class T>
struct number_from<chainrule::tape::active<T>> {
    static chainrule::tape::active<T> make(const program::coefficient& c) { return number_from<T>::make(c); }
};

template <class T>
struct number_from<chainrule::dual<T>> {
    static chainrule::dual<T> make(const program::coefficient& c) { return number_from<T>::make(c); }
};

} // namespace reference

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace functions = chainrule::functions;
using namespace chainrule::literals;
using reference::random_expression;
using reference::tracked;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

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

template <class... Row>
void check_all(functions::row_list<Row...>) {
    const auto one = []<class R>(R) {
        DYNAMIC_SECTION(R::name) { check_row<R>(); }
    };
    (one(Row{}), ...);
}

template <class T>
std::vector<T> converted(const std::vector<long double>& from) {
    return {from.begin(), from.end()};
}

/// What is wrong with the derivatives of a random expression, or nothing. `sharp` counts comparisons that would see 1e-10.
std::string fault_of(const random_expression& e, long& compared, long& sharp) {
    constexpr long double unit = 0x1p-64L, slack = 8;
    using forward = reference::dual<tracked>;
    using library_dual = cr::dual<tracked>;
    const auto numbers = converted<tracked>(e.numbers);
    tape::basic_tape<tracked> t;
    using number = tape::active<tracked>;
    std::vector<number> variables;
    for (const long double v : e.variables) variables.push_back(t.variable(tracked(v)));
    const auto results = e.evaluate<number>(variables, std::vector<number>(numbers.begin(), numbers.end()));
    for (std::size_t i = 0; i < e.variables.size(); ++i) {
        std::vector<forward> at;
        std::vector<library_dual> also_at;
        for (std::size_t j = 0; j < e.variables.size(); ++j) {
            at.emplace_back(tracked(e.variables[j]), tracked(i == j ? 1 : 0));
            also_at.emplace_back(tracked(e.variables[j]), std::array{tracked(i == j ? 1 : 0)});
        }
        std::vector<forward> stored;
        std::vector<library_dual> also_stored;
        for (const tracked& c : numbers) {
            stored.emplace_back(c, tracked());
            also_stored.emplace_back(c);
        }
        const auto expected = e.evaluate<forward>(at, stored);
        const auto found = e.evaluate<library_dual>(also_at, also_stored);
        for (const int output : e.outputs) {
            const auto k = static_cast<std::size_t>(output);
            tracked by_tape;
            if (results[k].is_recorded()) {
                t.backward(results[k]);
                by_tape = variables[i].gradient();
            }
            for (const tracked& g : {by_tape, found[k].tangents[0]}) {
                const tracked& right = expected[k].tangent;
                const long double bound = slack * unit * (g.error + right.error);
                ++compared;
                sharp += bound < 1e-10L * std::max(std::abs(right.value), 1e-3L) ? 1 : 0;
                if (!(std::abs(g.value - right.value) <= bound + 1e-30L)) {
                    std::ostringstream out;
                    out.precision(21);
                    out << g.value << " instead of " << right.value << ", where rounding explains " << bound;
                    return out.str();
                }
            }
        }
    }
    return {};
}

} // namespace

TEST_CASE("tape mode and forward mode agree with kernels on every function", "[modes]") { check_all(functions::all{}); }

TEST_CASE("tape mode and forward mode agree with an independent forward mode on random expressions", "[modes]") {
    long compared = 0, sharp = 0;
    for (unsigned long long seed = 1; seed <= 4000; ++seed) {
        const random_expression e(seed, 6 + static_cast<int>(seed % 50));
        const std::string fault = fault_of(e, compared, sharp);
        if (fault.empty()) continue;
        FAIL("seed " << seed << ": " << fault << '\n' << e.text());
    }
    CAPTURE(compared, sharp);
    CHECK(sharp * 10 > compared * 9);
}
