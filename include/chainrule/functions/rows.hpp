// SPDX-License-Identifier: BSL-1.0
//
// Turns the rows of the table (functions/table.hpp) into values for every number type, derivatives, and a type that
// represents each function.
#pragma once

#include <chainrule/functions/closed_number.hpp>

namespace chainrule {

/// Values that chainrule/special_functions.hpp provides, as NAME<T>::at_run_time(arguments).
namespace special_values {
#define CHAINRULE_ROW(NAME, ...)                                                                                       \
    template <class T>                                                                                                 \
    struct NAME;
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
} // namespace special_values

// The values, by source --------------------------------------------------------------------------------

/// Whether the values of a function are available; otherwise a static_assert names the header.
template <class Values>
consteval bool are_provided() {
    constexpr bool complete = requires { sizeof(Values); };
    static_assert(
        complete,
        "function: evaluating this function requires another header; include <chainrule/special_functions.hpp>");
    return complete;
}

#define CHAINRULE_SOURCE_CMATH cmath, ()
#define CHAINRULE_SOURCE_BUILTIN builtin, ()
#define CHAINRULE_SOURCE_BOOST boost, ()
#define CHAINRULE_SOURCE_FORMULA(...) formula, (__VA_ARGS__)
#define CHAINRULE_SOURCE_STEPPED(...) stepped, (__VA_ARGS__)
#define CHAINRULE_VALUE(NAME, SOURCE, CLOSED, ...) CHAINRULE_VALUE_FROM(NAME, SOURCE, CLOSED, __VA_ARGS__)
#define CHAINRULE_VALUE_FROM(NAME, KIND, FORMULA, CLOSED, ...)                                                         \
    CHAINRULE_VALUE_##KIND(NAME, FORMULA, CLOSED, __VA_ARGS__)
#define CHAINRULE_VALUE_cmath(NAME, FORMULA, CLOSED, ...)                                                              \
    if constexpr (std::floating_point<T>) {                                                                            \
        CHAINRULE_CONSTANT_CASE(NAME, __VA_ARGS__)                                                                     \
        CHAINRULE_BUILTIN(NAME, __VA_ARGS__)                                                                           \
    } else {                                                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    }
#define CHAINRULE_VALUE_builtin(NAME, FORMULA, CLOSED, ...)                                                            \
    if constexpr (std::floating_point<T>) {                                                                            \
        if constexpr (requires { reentrant<T>::NAME(__VA_ARGS__); })                                                   \
            if (!std::is_constant_evaluated()) return reentrant<T>::NAME(__VA_ARGS__);                                 \
        CHAINRULE_NO_CONSTANT_CASE                                                                                     \
        CHAINRULE_BUILTIN(NAME, __VA_ARGS__)                                                                           \
    } else {                                                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    }
#define CHAINRULE_VALUE_boost(NAME, FORMULA, CLOSED, ...)                                                              \
    if constexpr (std::floating_point<T>) {                                                                            \
        if constexpr (are_provided<special_values::NAME<T>>())                                                         \
            return special_values::NAME<T>::at_run_time(__VA_ARGS__);                                                  \
        else                                                                                                           \
            return T{};                                                                                                \
    } else {                                                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    }
#define CHAINRULE_VALUE_formula(NAME, FORMULA, CLOSED, ...)                                                            \
    if constexpr (has_functions_of_table<T>)                                                                           \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    else if constexpr (!closed_under_arithmetic<T>)                                                                    \
        return evaluation::NAME CLOSED.value;                                                                          \
    else                                                                                                               \
        return static_cast<T> FORMULA;
#define CHAINRULE_VALUE_stepped(NAME, FORMULA, CLOSED, ...)                                                            \
    if constexpr (!std::same_as<decltype(x == x), bool>)                                                               \
        return static_cast<T>(by_lookup::NAME##_of(__VA_ARGS__));                                                      \
    else if constexpr (!closed_under_arithmetic<T>)                                                                    \
        return evaluation::NAME CLOSED.value;                                                                          \
    else                                                                                                               \
        return static_cast<T> FORMULA;

#define CHAINRULE_UNARY(NAME, VALUE, ...)                                                                              \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T evaluation::NAME(const T& x) {                                                  \
        CHAINRULE_VALUE(NAME, CHAINRULE_SOURCE_##VALUE, (closed_number<T>(x)), x)                                      \
    }
#define CHAINRULE_BINARY(NAME, VALUE, ...)                                                                             \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T evaluation::NAME(const T& x, const T& y) {                                      \
        CHAINRULE_VALUE(NAME, CHAINRULE_SOURCE_##VALUE, (closed_number<T>(x), closed_number<T>(y)), x, y)              \
    }
#define CHAINRULE_TERNARY(NAME, VALUE, ...)                                                                            \
    template <class T>                                                                                                 \
    [[gnu::always_inline]] constexpr T evaluation::NAME(const T& x, const T& y, const T& z) {                          \
        CHAINRULE_VALUE(NAME, CHAINRULE_SOURCE_##VALUE,                                                                \
                        (closed_number<T>(x), closed_number<T>(y), closed_number<T>(z)), x, y, z)                      \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef CHAINRULE_SOURCE_CMATH
#undef CHAINRULE_SOURCE_BUILTIN
#undef CHAINRULE_SOURCE_BOOST
#undef CHAINRULE_SOURCE_FORMULA
#undef CHAINRULE_SOURCE_STEPPED
#undef CHAINRULE_VALUE
#undef CHAINRULE_VALUE_FROM
#undef CHAINRULE_VALUE_cmath
#undef CHAINRULE_VALUE_builtin
#undef CHAINRULE_VALUE_boost
#undef CHAINRULE_VALUE_formula
#undef CHAINRULE_VALUE_stepped
#undef CHAINRULE_CONSTANT_CASE
#undef CHAINRULE_NO_CONSTANT_CASE
#undef CHAINRULE_BUILTIN

/// The rows as types. functions/derivatives.hpp has their derivatives for numbers, functions/domains.hpp the intervals
/// from which tests draw arguments.
namespace functions {

/// The position of a function in the table.
enum class index : unsigned char {
#define CHAINRULE_ROW(NAME, ...) NAME,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
        count
};

/// The row at a position of the table.
template <unsigned Position>
struct row_at;

#define CHAINRULE_ROW(NAME, ARITY)                                                                                     \
    struct NAME {                                                                                                      \
        static constexpr char name[] = #NAME;                                                                          \
        enum : unsigned { arity = ARITY, position = static_cast<unsigned>(index::NAME), code = position };             \
        template <class... T>                                                                                          \
        [[gnu::always_inline]] static constexpr auto value(const T&... arguments) {                                    \
            return evaluation::NAME(arguments...);                                                                     \
        }                                                                                                              \
    };                                                                                                                 \
    template <>                                                                                                        \
    struct row_at<static_cast<unsigned>(index::NAME)> {                                                                \
        using type = NAME;                                                                                             \
    };
#define CHAINRULE_UNARY(NAME, ...) CHAINRULE_ROW(NAME, 1)
#define CHAINRULE_BINARY(NAME, ...) CHAINRULE_ROW(NAME, 2)
#define CHAINRULE_TERNARY(NAME, ...) CHAINRULE_ROW(NAME, 3)
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
#undef CHAINRULE_ROW

/// The row that computes the values and derivatives of a function: a row of the table, or for a custom function the row
/// that its base class defines.
template <class F>
struct row_of {
    using type = F;
};
template <class F>
requires requires { typename F::row; }
struct row_of<F> {
    using type = typename F::row;
};

/// The row of a call whose last argument has type N: a power with an integer exponent has its own row.
template <class Row, class N, bool = std::is_integral_v<N>>
struct called_with {
    using type = Row;
};
template <class N>
struct called_with<pow, N, true> {
    using type = integer_power;
};

/// A list of types, for loops over the table.
template <class...>
struct row_list {};

template <class... Rows>
struct without_first;
template <class First, class... Rows>
struct without_first<First, Rows...> {
    using type = row_list<Rows...>;
};

/// Every row, in the order of the table.
#define CHAINRULE_ROW(NAME, ...) , NAME
using all = without_first<void CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)>::type;
#undef CHAINRULE_ROW

} // namespace functions
} // namespace chainrule
