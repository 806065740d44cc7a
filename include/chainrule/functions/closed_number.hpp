// SPDX-License-Identifier: BSL-1.0
//
// Numbers whose operators return their own type. The sum of two numbers on a tape, or of two multiprecision numbers, is
// an expression of another type, and a formula of the table cannot convert it back to the type of its arguments. The
// operators of intervals and of std::complex take no integers.
#pragma once

#include <chainrule/functions/comparisons.hpp>
#include <chainrule/functions/values.hpp>

namespace chainrule::functions {

/// A number of type T whose operators return the same type. The formulas of the table use it if T is not closed under
/// arithmetic.
template <class T>
struct closed_number {
    T value{};

    constexpr closed_number() = default;
    constexpr closed_number(const T& number) : value(number) {}
    template <class N>
    requires std::is_arithmetic_v<N>
    constexpr closed_number(N number) : value(static_cast<T>(number)) {}

    friend constexpr closed_number operator-(const closed_number& a) { return T(-a.value); }
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    friend constexpr closed_number operator SYMBOL(const closed_number& a, const closed_number& b) {                   \
        return T(a.value SYMBOL b.value);                                                                              \
    }                                                                                                                  \
    friend constexpr closed_number operator SYMBOL(const closed_number& a, int n) {                                    \
        if constexpr (takes_integers<T>)                                                                               \
            return T(a.value SYMBOL n);                                                                                \
        else                                                                                                           \
            return T(a.value SYMBOL static_cast<T>(n));                                                                \
    }                                                                                                                  \
    friend constexpr closed_number operator SYMBOL(int n, const closed_number& a) {                                    \
        if constexpr (takes_integers<T>)                                                                               \
            return T(n SYMBOL a.value);                                                                                \
        else                                                                                                           \
            return T(static_cast<T>(n) SYMBOL a.value);                                                                \
    }
    CHAINRULE_OPERATOR(+)
    CHAINRULE_OPERATOR(-)
    CHAINRULE_OPERATOR(*)
    CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR
    friend constexpr closed_number operator*(irrational c, const closed_number& a) { return T(c.as<T>() * a.value); }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend constexpr bool operator SYMBOL(const closed_number& a, const closed_number& b) {                            \
        return static_cast<bool>(a.value SYMBOL b.value);                                                              \
    }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    friend constexpr closed_number NAME(const closed_number& x) { return evaluation::NAME(x.value); }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    friend constexpr closed_number NAME(const closed_number& x, const closed_number& y) {                              \
        return evaluation::NAME(x.value, y.value);                                                                     \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    friend constexpr closed_number NAME(const closed_number& x, const closed_number& y, const closed_number& z) {      \
        return evaluation::NAME(x.value, y.value, z.value);                                                            \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
};

template <class T>
inline constexpr bool has_functions_of_table<closed_number<T>> = has_functions_of_table<T>;

/// Computes with numbers of type T as if T were closed under arithmetic: `compute` is called with closed numbers.
template <class Compute, class T, class... Rest>
[[gnu::always_inline]] constexpr T in_closed_numbers(const Compute& compute, const T& x, const Rest&... rest) {
    return compute(closed_number<T>(x), closed_number<T>(rest)...).value;
}

} // namespace chainrule::functions

namespace chainrule {
// It has a trunc() for every T.
template <class T>
inline constexpr bool by_lookup::can_truncate<functions::closed_number<T>> = by_lookup::can_truncate<T>;
} // namespace chainrule
