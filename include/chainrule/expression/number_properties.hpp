// SPDX-License-Identifier: BSL-1.0
//
// Properties of a number of any kind: its plain number, and whether it is NaN or infinite. Like
// expression/number_functions.hpp, this header includes nothing else of expressions, whose properties are in
// expression/conditional.hpp.
#pragma once

#include <chainrule/expression/number_functions.hpp>

#include <limits>
#include <type_traits>

namespace chainrule {

/// The plain number below all derivatives: of an active or dual number of such numbers, of an expression of active
/// numbers, and of a plain number itself. For indices and branches, in any mode; that of a replayable number belongs to
/// the recording, which holds as long as it is the same. Example: `table[static_cast<std::size_t>(plain_value(x))]`
template <class X>
[[nodiscard]] constexpr auto plain_value(const X& x) {
    if constexpr (requires { x.tangents; })
        return plain_value(x.value);
    else if constexpr (requires { typename X::chainrule_expression; })
        return plain_value(value(x)); // tape/recording/comparison.hpp
    else if constexpr (functions::has_functions_of_table<X> && requires { x.value(); })
        return plain_value(x.value());
    else
        return x;
}

namespace detail {

/// The exponent of a plain number that std::frexp gives.
template <class T>
[[nodiscard]] constexpr int exponent_of(const T& x) {
    int exponent = 0;
    if constexpr (std::is_same_v<T, float>)
        static_cast<void>(__builtin_frexpf(x, &exponent));
    else if constexpr (std::is_same_v<T, double>)
        static_cast<void>(__builtin_frexp(x, &exponent));
    else if constexpr (std::is_same_v<T, long double>)
        static_cast<void>(__builtin_frexpl(x, &exponent));
    else
        static_cast<void>(frexp(x, &exponent));
    return exponent;
}
/// frexp of a number with derivatives: they are scaled as the number is. The exponent is that of the plain number.
template <class X>
[[nodiscard]] constexpr auto mantissa(const X& x, int* exponent) {
    *exponent = detail::exponent_of(plain_value(x));
    return ldexp(x, -*exponent);
}

/// modf of a number with derivatives. The fraction of an infinity is 0, which inf - inf is not.
template <class X>
constexpr X fraction(const X& x, X* whole) {
    *whole = trunc(x);
    if (isinf(x)) return X(0);
    return x - *whole;
}

} // namespace detail

/// The mantissa of a dual number, from 0.5 to 1 in size, and the exponent of 2 by which it is multiplied, as
/// std::frexp.
template <class X>
requires requires(const X& x) { x.tangents; }
[[nodiscard]] constexpr X frexp(const X& x, int* exponent) {
    return detail::mantissa(x, exponent);
}
/// The fraction of a dual number, and its whole part, as std::modf.
template <class X>
requires requires(const X& x) { x.tangents; }
constexpr X modf(const X& x, X* whole) {
    return detail::fraction(x, whole);
}

namespace expressions {

/// A number of a class of the user or of another library.
template <class X>
concept foreign_number = std::is_class_v<X> && std::numeric_limits<X>::is_specialized && !functions::has_own_rules<X>;

} // namespace expressions

// Of a class with its own functions, this calls its friend.
#define CHAINRULE_CLASSIFICATION(NAME, OF_INTEGER, OF_FOREIGN_NUMBER)                                                  \
    template <expressions::number_of_functions X>                                                                      \
    [[nodiscard]] constexpr auto NAME(const X& x) {                                                                    \
        if constexpr (std::is_floating_point_v<X>)                                                                     \
            return __builtin_##NAME(x) != 0;                                                                           \
        else                                                                                                           \
            return NAME(x);                                                                                            \
    }                                                                                                                  \
    template <class T = bool>                                                                                          \
    [[nodiscard]] constexpr T NAME(expressions::integer_argument) {                                                    \
        return OF_INTEGER;                                                                                             \
    }                                                                                                                  \
    template <expressions::foreign_number X>                                                                           \
    [[nodiscard]] constexpr bool NAME(const X& x) {                                                                    \
        return OF_FOREIGN_NUMBER;                                                                                      \
    }
CHAINRULE_CLASSIFICATION(isnan, false, x != x)
CHAINRULE_CLASSIFICATION(isfinite, true, x - x == x - x)
CHAINRULE_CLASSIFICATION(isinf, false, x == x && x - x != x - x)
#undef CHAINRULE_CLASSIFICATION

} // namespace chainrule
