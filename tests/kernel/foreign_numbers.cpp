// SPDX-License-Identifier: BSL-1.0
//
// Numbers of another library, whose namespace has templates for anything by nearly every name that this library uses
// inside: no call must find them.
#include "foreign_numbers.hpp"

#include <cmath>
#include <compare>
#include <ostream>

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
GREEDY_8(eliminate, magnitude_of, is_small_step, iterate, carry, find_root, exchange_rows, root_of)

} // namespace greedy

TEST_CASE("no call inside finds a function of the namespace of a number", "[types]") {
    foreign_numbers::foreign<greedy::number>(1e-12).check();
}

TEST_CASE("an order that is too high gives NaN for numbers without limits too", "[types]") {
    constexpr auto F = chainrule::function([](auto u) { return spherical_jn(113, u); });
    CHECK(std::isnan(F(greedy::number(1.0)).digits));
}
