// SPDX-License-Identifier: BSL-1.0
//
// Turns the rows of the table (functions/table.hpp) into types that represent the functions. functions/values.hpp has
// their values.
#pragma once

#include <chainrule/functions/closed_number.hpp>

namespace chainrule {

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

/// The row of a call whose last argument has type N: a power with an integer exponent has its own row. (Expressions
/// have integral constants as exact operands.)
template <class Row, class N, bool = std::is_integral_v<N> || integral_constant<N>>
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
