// SPDX-License-Identifier: BSL-1.0
//
// Operations of traced code on plain numbers alone, such as sqrt(T(2)): no graph is at hand yet, so they are kept until
// their result meets a traced number.
#pragma once

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
CHAINRULE_ARITHMETIC(add, a + b)
CHAINRULE_ARITHMETIC(subtract, a - b)
CHAINRULE_ARITHMETIC(multiply, a* b)
CHAINRULE_ARITHMETIC(divide, a / b)
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
