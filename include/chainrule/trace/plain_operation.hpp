// SPDX-License-Identifier: BSL-1.0
//
// Operations of traced code on plain numbers alone, such as sqrt(T(2)): there is no graph yet, so they are kept until
// their result meets a traced number.
#pragma once

#include <chainrule/functions/double_word.hpp>
#include <chainrule/graph/variables.hpp>
#include <chainrule/trace/recorder.hpp>

namespace chainrule::tracing {

/// How an operation on plain numbers is added to a graph that these are not in yet, and its value in double.
struct plain_operation {
    int (*record)(recorder& r, double a, double b);
    double (*value)(double a, double b);
};
template <class Row>
inline constexpr bool is_unary = std::is_same_v<Row, operations::negate>;
template <class Row>
requires(int{Row::arity} > 0)
inline constexpr bool is_unary<Row> = int{Row::arity} == 1;
template <class Row>
inline constexpr plain_operation plain_operation_of{
    [](recorder& r, double a, double b) {
        const int first = r.constant(a, 0);
        return graph::apply_operation(r.g, Row::code, first, is_unary<Row> ? -1 : r.constant(b, 0));
    },
    [](double a, [[maybe_unused]] double b) {
        if constexpr (is_unary<Row>)
            return static_cast<double>(Row::value(a));
        else
            return static_cast<double>(Row::value(a, b));
    }};

// Arithmetic as at run time: compilers refuse constant expressions that overflow or are not a number.
namespace unlimited {

using constant_evaluation::fabs, constant_evaluation::is_negative;
inline constexpr double infinity = constant_evaluation::infinity<double>;
inline constexpr double not_a_number = constant_evaluation::not_a_number<double>;

[[nodiscard]] constexpr double sum(double a, double b) {
    if (a != a || b != b || (fabs(a) == infinity && b == -a)) return not_a_number;
    if (fabs(a / 2 + b / 2) >= 0x1p1023) return a / 2 + b / 2 < 0 ? -infinity : infinity;
    return a + b;
}
[[nodiscard]] constexpr double product(double a, double b) {
    const bool below_zero = is_negative(a) != is_negative(b);
    if (a != a || b != b || (fabs(a) == infinity && b == 0) || (a == 0 && fabs(b) == infinity)) return not_a_number;
    if (fabs(a * 0x1p-512 * (b * 0x1p-512)) >= 1) return below_zero ? -infinity : infinity;
    return a * b;
}
[[nodiscard]] constexpr double quotient(double a, double b) {
    const bool below_zero = is_negative(a) != is_negative(b);
    if (a != a || b != b || (a == 0 && b == 0) || (fabs(a) == infinity && fabs(b) == infinity)) return not_a_number;
    if (b == 0 || (fabs(b) < 1 && fabs(a * 0x1p-512 / (b * 0x1p512)) >= 1)) return below_zero ? -infinity : infinity;
    return a / b;
}

} // namespace unlimited

// Of arithmetic, whose rows have no values.
#define CHAINRULE_ARITHMETIC(NAME, ...)                                                                                \
    template <>                                                                                                        \
    inline constexpr plain_operation plain_operation_of<operations::NAME>{                                             \
        [](recorder& r, double a, double b) {                                                                          \
            const int first = r.constant(a, 0);                                                                        \
            return graph::apply_operation(r.g, operations::NAME::code, first,                                          \
                                          is_unary<operations::NAME> ? -1 : r.constant(b, 0));                         \
        },                                                                                                             \
        [](double a, [[maybe_unused]] double b) { return __VA_ARGS__; }};
CHAINRULE_ARITHMETIC(negate, -a)
CHAINRULE_ARITHMETIC(add, unlimited::sum(a, b))
CHAINRULE_ARITHMETIC(subtract, unlimited::sum(a, -b))
CHAINRULE_ARITHMETIC(multiply, unlimited::product(a, b))
CHAINRULE_ARITHMETIC(divide, unlimited::quotient(a, b))
#undef CHAINRULE_ARITHMETIC
/// The same for an expression without variables and stored numbers, such as sqrt(2_c).
template <class E>
inline constexpr plain_operation constant_expression{
    [](recorder& r, double, double) { return graph::lowering(r.g).template run<E>(); },
    [](double, double) { return static_cast<double>(E{}()); }};

template <class E>
[[nodiscard]] consteval bool is_constant_expression() {
    if constexpr (int{E::numbers} == 0)
        return int{graph::variables_of<E>::type::size} == 0;
    else
        return false;
}

} // namespace chainrule::tracing
