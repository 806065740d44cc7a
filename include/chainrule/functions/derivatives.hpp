// SPDX-License-Identifier: BSL-1.0
//
// The derivatives of the functions of the table (functions/table.hpp) for numbers. Dual numbers, tapes and tensors use
// them. Graphs have their own (differentiate/partials.hpp), so most programs need not parse these.
#pragma once

#include <chainrule/functions/rows.hpp>

namespace chainrule::functions {

/// The formulas of a row: at<K>(arguments..., result), for numbers that are closed under arithmetic. A class derived
/// from `evaluation`, for the same reason as that.
template <class Row>
struct derivative_formulas {
    enum : bool { in_table = false };
};

#define CHAINRULE_UNARY(NAME, VALUE, BY_X, ...)                                                                        \
    template <>                                                                                                        \
    struct derivative_formulas<NAME> : evaluation {                                                                    \
        enum : bool { in_table = true };                                                                               \
        template <int, class T>                                                                                        \
        static constexpr T at([[maybe_unused]] const T& x, [[maybe_unused]] const T& r) {                              \
            return BY_X;                                                                                               \
        }                                                                                                              \
    };
#define CHAINRULE_BINARY(NAME, VALUE, BY_X, BY_Y, ...)                                                                 \
    template <>                                                                                                        \
    struct derivative_formulas<NAME> : evaluation {                                                                    \
        enum : bool { in_table = true };                                                                               \
        template <int K, class T>                                                                                      \
        static constexpr T at([[maybe_unused]] const T& x, [[maybe_unused]] const T& y, [[maybe_unused]] const T& r) { \
            if constexpr (K == 0)                                                                                      \
                return BY_X;                                                                                           \
            else                                                                                                       \
                return BY_Y;                                                                                           \
        }                                                                                                              \
    };
#define CHAINRULE_TERNARY(NAME, VALUE, BY_X, BY_Y, BY_Z, ...)                                                          \
    template <>                                                                                                        \
    struct derivative_formulas<NAME> : evaluation {                                                                    \
        enum : bool { in_table = true };                                                                               \
        template <int K, class T>                                                                                      \
        static constexpr T at([[maybe_unused]] const T& x, [[maybe_unused]] const T& y, [[maybe_unused]] const T& z,   \
                              [[maybe_unused]] const T& r) {                                                           \
            if constexpr (K == 0)                                                                                      \
                return BY_X;                                                                                           \
            else if constexpr (K == 1)                                                                                 \
                return BY_Y;                                                                                           \
            else                                                                                                       \
                return BY_Z;                                                                                           \
        }                                                                                                              \
    };
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

/// The derivative of a function with respect to its K-th argument, from the arguments and the result. A row that is not
/// in the table, such as that of a custom function, has a member derivative<K>.
template <int K, class Row, class... T>
[[nodiscard, gnu::always_inline]] constexpr auto derivative(const T&... arguments_and_result) {
    if constexpr (!bool{derivative_formulas<Row>::in_table})
        return Row::template derivative<K>(arguments_and_result...);
    else if constexpr (((closed_under_arithmetic<T> && takes_integers<T>) && ...))
        return derivative_formulas<Row>::template at<K>(arguments_and_result...);
    else
        return in_closed_numbers([](const auto&... a) { return derivative_formulas<Row>::template at<K>(a...); },
                                 arguments_and_result...);
}

} // namespace chainrule::functions
