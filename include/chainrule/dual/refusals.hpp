// SPDX-License-Identifier: BSL-1.0
//
// Rejects arithmetic of incompatible dual numbers, and of dual numbers with complex numbers, text or other objects,
// with one message instead of a list of operators.
#pragma once

#include <chainrule/dual/dual.hpp>
#include <chainrule/expression/refused_operators.hpp>

namespace chainrule {

namespace detail {

// Text, and complex numbers of plain numbers. (By their members: a header of the standard library takes long to parse.)
template <class U>
inline constexpr bool is_no_operand = requires { typename U::traits_type; } || requires(const U& z) {
    requires std::is_arithmetic_v<typename U::value_type>;
    { z.real() } -> std::same_as<typename U::value_type>;
    { z.imag() } -> std::same_as<typename U::value_type>;
};
template <std::size_t N>
inline constexpr bool is_no_operand<char[N]> = true;
template <>
inline constexpr bool is_no_operand<const char*> = true;

// The other operand. It is a conversion, so any operator of its class is a better match.
struct refused_operand {
    template <class U>
    requires(is_no_operand<U>)
    constexpr refused_operand(const U&) {
        static_assert(sizeof(U) == 0, "a * b: a dual number is combined with a complex number or text; keep the real "
                                      "and the imaginary part as two dual numbers, and convert text to a number first");
    }
    template <class U>
    requires(std::is_class_v<U> && !is_no_operand<U> && !functions::has_functions_of_table<U> &&
             !requires { typename U::chainrule_expression; })
    constexpr refused_operand(const U&) {
        static_assert(sizeof(U) == 0, "a * b: a dual number is combined with an object that is not a number; use its "
                                      "members, as in a * object.mass, or give its class an operator");
    }
};

} // namespace detail

// (Of dual numbers of dual numbers, the inner one is a number.)
#define CHAINRULE_REFUSED(SYMBOL)                                                                                      \
    template <class T, std::size_t N, class U, std::size_t M>                                                          \
    requires(!std::same_as<dual<T, N>, dual<U, M>> && !detail::becomes_number<dual<U, M>, T> &&                        \
             !detail::becomes_number<dual<T, N>, U>)                                                                   \
    constexpr dual<T, N> operator SYMBOL(const dual<T, N>& a, const dual<U, M>&) {                                     \
        constexpr bool fits = sizeof(U) == 0;                                                                          \
        static_assert(fits, "a * b: the dual numbers differ in the type of their values or in the number of their "    \
                            "directions; give both the same, as in dual<double, 2>, or pass b.value, a constant");     \
        return a;                                                                                                      \
    }                                                                                                                  \
    template <class T, std::size_t N>                                                                                  \
    constexpr dual<T, N> operator SYMBOL(const dual<T, N>& a, const detail::refused_operand&) {                        \
        return a;                                                                                                      \
    }                                                                                                                  \
    template <class T, std::size_t N>                                                                                  \
    constexpr dual<T, N> operator SYMBOL(const detail::refused_operand&, const dual<T, N>& a) {                        \
        return a;                                                                                                      \
    }
CHAINRULE_REFUSED(+)
CHAINRULE_REFUSED(-)
CHAINRULE_REFUSED(*)
CHAINRULE_REFUSED(/)
#undef CHAINRULE_REFUSED
#define CHAINRULE_REFUSED(SYMBOL)                                                                                      \
    template <class T, std::size_t N>                                                                                  \
    constexpr dual<T, N>& operator SYMBOL(dual<T, N>& a, const detail::refused_operand&) {                             \
        return a;                                                                                                      \
    }                                                                                                                  \
    template <class Plain, class T, std::size_t N>                                                                     \
    requires std::is_arithmetic_v<Plain>                                                                               \
    Plain& operator SYMBOL(Plain & plain, const dual<T, N>&) {                                                         \
        return functions::refused_change<dual<T, N>>(plain);                                                           \
    }
CHAINRULE_REFUSED(+=)
CHAINRULE_REFUSED(-=)
CHAINRULE_REFUSED(*=)
CHAINRULE_REFUSED(/=)
#undef CHAINRULE_REFUSED
#define CHAINRULE_NOT_BINARY(...)
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class T, std::size_t N>                                                                                  \
    constexpr dual<T, N> NAME(const dual<T, N>& a, const detail::refused_operand&) {                                   \
        return a;                                                                                                      \
    }                                                                                                                  \
    template <class T, std::size_t N>                                                                                  \
    constexpr dual<T, N> NAME(const detail::refused_operand&, const dual<T, N>& a) {                                   \
        return a;                                                                                                      \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_NOT_BINARY, CHAINRULE_BINARY, CHAINRULE_NOT_BINARY)
#undef CHAINRULE_BINARY
#undef CHAINRULE_NOT_BINARY
/// Refused, with a sentence: a comparison with what is no number. That the other way round is this one too.
template <class T, std::size_t N>
constexpr bool operator==(const dual<T, N>&, const detail::refused_operand&) {
    return false;
}
/// The same for the other comparisons.
template <class T, std::size_t N>
constexpr std::partial_ordering operator<=>(const dual<T, N>&, const detail::refused_operand&) {
    return std::partial_ordering::unordered;
}

} // namespace chainrule
