// SPDX-License-Identifier: BSL-1.0
//
// Numbers of other libraries. One of the test's own, whose namespace has templates for anything by nearly every name
// that the library uses inside: no call is to find them. And those of Boost.Multiprecision, whose operators give
// expressions.
#include "catch.hpp"

#include <chainrule/chainrule.hpp>
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_dec_float.hpp>

#include <cmath>
#include <array>
#include <compare>
#include <ostream>
#include <vector>

namespace greedy {

struct number {
    double digits = 0;

    number() = default;
    template <class N>
    requires std::is_arithmetic_v<N>
    number(N n) : digits(static_cast<double>(n)) {}

    friend number operator-(const number& a) { return -a.digits; }
    friend number operator+(const number& a, const number& b) { return a.digits + b.digits; }
    friend number operator-(const number& a, const number& b) { return a.digits - b.digits; }
    friend number operator*(const number& a, const number& b) { return a.digits * b.digits; }
    friend number operator/(const number& a, const number& b) { return a.digits / b.digits; }
    friend bool operator==(const number& a, const number& b) { return a.digits == b.digits; }
    friend auto operator<=>(const number& a, const number& b) { return a.digits <=> b.digits; }
    friend std::ostream& operator<<(std::ostream& out, const number& a) { return out << a.digits; }

#define GREEDY_FUNCTION(NAME)                                                                                          \
    friend number NAME(const number& x) { return std::NAME(x.digits); }
    GREEDY_FUNCTION(exp)
    GREEDY_FUNCTION(exp2)
    GREEDY_FUNCTION(log)
    GREEDY_FUNCTION(log1p)
    GREEDY_FUNCTION(sqrt)
    GREEDY_FUNCTION(sin)
    GREEDY_FUNCTION(cos)
    GREEDY_FUNCTION(tanh)
#undef GREEDY_FUNCTION
    friend number pow(const number& x, const number& y) { return std::pow(x.digits, y.digits); }
    friend number hypot(const number& x, const number& y) { return std::hypot(x.digits, y.digits); }
    friend number atan2(const number& x, const number& y) { return std::atan2(x.digits, y.digits); }
    friend bool isnan(const number& x) { return std::isnan(x.digits); }
};

#define GREEDY_1(NAME)                                                                                                 \
    template <class... A>                                                                                              \
    void NAME(A&&...) = delete;                                                                                        \
    template <class A>                                                                                                 \
    void NAME(const A&) = delete;                                                                                      \
    template <class A, class B>                                                                                        \
    void NAME(const A&, const B&) = delete;                                                                            \
    template <class A, class B, class C>                                                                               \
    void NAME(const A&, const B&, const C&) = delete;
#define GREEDY_4(A, B, C, D) GREEDY_1(A) GREEDY_1(B) GREEDY_1(C) GREEDY_1(D)
#define GREEDY_8(A, B, C, D, ...) GREEDY_4(A, B, C, D) GREEDY_4(__VA_ARGS__)
GREEDY_8(add, subtract, multiply, divide, negate, select, like, magnitude)
GREEDY_8(clamped, log_of_sum, log_of_difference, half_turns, sine_of_half_turns, cosine_of_half_turns, scaled_erfc,
         plain)
GREEDY_8(first_spherical_bessel, keeps_zero, is_structural_zero, compare, sine_cosine, forget, step, run)
GREEDY_8(expand, evaluate, value, visit, record, record_call, append, numbers_of)
GREEDY_8(copy_element, stored_numbers, as_operand, joined, first_of, second_of, third_of, refused_as_repetition)
GREEDY_8(numbers_repeat, first_operand, for_each_number, in_closed_numbers, along, chained, write, moved)
GREEDY_8(checked_number, handle, passed_on, sweep, clear, pause, mark, get)
GREEDY_8(copy, fill, apply, call, function, vector, dot, sum)
GREEDY_8(derivative, gradient, backward, jacobian, hessian, variable, index, result)
GREEDY_8(operand_of, custom_node, all, max_element, norm, element, first, second)

} // namespace greedy

namespace {

namespace cr = chainrule;
namespace tape = chainrule::tape;
namespace mp = boost::multiprecision;
using namespace chainrule::literals;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

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
        if constexpr (std::is_same_v<N, greedy::number>)
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
            const auto second = tape::hessian([](const auto& p) { return program(p[0], p[1]); }, std::vector{a, b});
            same(second.hessian(0, 1), curvatures[0][1]);
            same(tape::hessian_vector_product([](const auto& p) { return program(p[0], p[1]); }, std::vector{a, b},
                                              std::vector{N(1), N(0)})[1],
                 curvatures[0][1]);
        }
    }
};

} // namespace

TEST_CASE("no call inside finds a function of the namespace of a number", "[types]") {
    foreign<greedy::number>(1e-12).check();
}

TEST_CASE("multiprecision numbers go through kernels, dual numbers and tapes, also where their sums are expressions",
          "[types]") {
    foreign<mp::number<mp::cpp_dec_float<50>, mp::et_on>>(1e-13).check();
}

TEST_CASE("multiprecision numbers keep their digits", "[types]") {
    using number = mp::cpp_bin_float_50;
    const number a = number(1) / 3;
    tape::basic_tape<number> t;
    const auto v = t.variable(a);
    const tape::active<number> r = exp(v) * v;
    t.backward(r);
    const number should = exp(a) * (1 + a);
    CHECK(abs(v.gradient() - should) <= 1e-48 * should);
    CHECK(abs((exp(cr::dual<number>::variable(a)) * a).tangents[0] - exp(a) * a) <= 1e-48 * should);
    CHECK(abs(cr::gradient(exp(x) * x)(x = a)[x] - should) <= 1e-48 * should);
}
