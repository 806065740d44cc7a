// SPDX-License-Identifier: BSL-1.0
//
// What numbers of other libraries must do in kernels, dual numbers and tapes. (Each library has a file of its own,
// since each compiles all of this.)
#pragma once

#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <array>
#include <cmath>
#include <vector>

namespace foreign_numbers {

namespace cr = chainrule;
namespace tape = chainrule::tape;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

/// A program of every kind of operation; T is a number or an expression.
constexpr auto formula = [](const auto& a, const auto& b) {
    return log(a) + a * b - sin(b) * exp(a / b) + sqrt(a) * pow(a, b) + hypot(a, b) + tanh(a) * square(b) - cube(a) +
           max(a, b) * relu(a - 1.0) + sigmoid(a - b) / softplus(b) + exp2(b) * atan2(a, b) - log_sum_exp(a, b);
};

template <class N>
class foreign {
    double tolerance_;

    Approx near(double v) const { return Approx(v).epsilon(tolerance_); }
    static double plain(const N& n) {
        if constexpr (requires { n.digits; })
            return n.digits;
        else
            return static_cast<double>(n);
    }
    template <class T>
    static T program(const T& a, const T& b) {
        T s = formula(a, b);
        s += a > b ? a : T(b * b);
        s *= 2.0;
        s -= N(1);
        s /= a;
        return s;
    }

public:
    explicit foreign(double tolerance) : tolerance_(tolerance) {}

    void check() const {
        const N a(1.5), b(0.75);
        const auto F = cr::function((formula(x, y) + x) * 2.0 / x - 1.0 / x, cr::wrt(x, y));
        const auto [expected, slopes, curvatures] = F.value_gradient_and_hessian(1.5, 0.75);
        const auto same = [&](const N& value, double should) { CHECK(plain(value) == near(should)); };
        {
            INFO("kernels");
            const auto [value, gradient, hessian] = F.value_gradient_and_hessian(a, b);
            same(value, expected);
            same(gradient[1], slopes[1]);
            same(hessian[0][1], curvatures[0][1]);
            const auto by_name = (formula(x, y) + x) * 2.0 / x - 1.0 / x;
            same(by_name(x = a, y = b), expected);
            same(cr::gradient(by_name)(x = a, y = b)[x], slopes[0]);
            same(F.jvp(std::array{a, b}, std::array{N(0), N(1)}), slopes[1]);
        }
        {
            INFO("roots");
            const auto root = cr::newton_and_gradient(x * x - y, x, N(1), y = N(200));
            same(root.value, std::sqrt(200.0));
            same(root[y], 0.5 / std::sqrt(200.0));
            const auto both =
                cr::newton(cr::vector(x * x - y, z - x * y), cr::wrt(x, z), std::array{N(1), N(1)}, y = N(4));
            same(both[1], 8.0);
        }
        {
            INFO("dual numbers");
            using number = cr::dual<N, 2>;
            const number d = program(number::variable(a, 0), number::variable(b, 1));
            same(d.value, expected);
            same(d.tangents[0], slopes[0]);
            same(d.tangents[1], slopes[1]);
            CHECK((d == d && !(d < d) && d < N(1000) && !isnan(d)));
            using nested = cr::dual<cr::dual<N>>;
            const nested n = program(nested::variable(cr::dual<N>(a)), nested(cr::dual<N>::variable(b)));
            same(n.tangents[0].tangents[0], curvatures[0][1]);
        }
        {
            INFO("tapes");
            tape::basic_tape<N> t;
            const tape::active<N> u = t.variable(a), v = t.variable(b), r = program(u, v);
            t.backward(r);
            same(r.value(), expected);
            same(u.gradient(), slopes[0]);
            same(v.gradient(), slopes[1]);
            same(tape::jacobian(t, std::vector{r, u}, std::vector{u, v})(0, 1), slopes[1]);
            CHECK((u > v && !(u == v) && value(u * v) > N(1)));
            const tape::active<N> called = F(u, v);
            t.backward(called);
            same(v.gradient(), slopes[1]);
            const auto at_point = [](const auto& p) { return program(p[0], p[1]); };
            same(tape::gradient(at_point, std::vector{a, b})[1], slopes[1]);
            same(tape::jvp(at_point, std::array{a, b}, std::array{N(0), N(1)}), slopes[1]);
            const auto second = tape::hessian([](const auto& p) { return program(p[0], p[1]); }, std::vector{a, b});
            same(second.hessian(0, 1), curvatures[0][1]);
            same(tape::hessian_vector_product([](const auto& p) { return program(p[0], p[1]); }, std::vector{a, b},
                                              std::vector{N(1), N(0)})[1],
                 curvatures[0][1]);
        }
    }
};

} // namespace foreign_numbers
