// SPDX-License-Identifier: BSL-1.0
//
// How do operators and functions of expressions build nested types? Every operand becomes an expression first: an
// expression is itself, an integral constant (of Hana or the standard library) is exact, any other number is stored.
#pragma once

#include <chainrule/expression/variable.hpp>

#include <boost/hana/fwd/integral_constant.hpp>

namespace chainrule {

/// What may be an operand beside an expression: a number that can be stored.
template <class T>
concept storable = !expression<T> && (std::is_arithmetic_v<T> || requires(T a) {
    { a + a };
    { a * a };
});

namespace program {

template <class T>
concept integral_constant = requires {
    typename T::value_type;
    T::value;
    requires std::integral<typename T::value_type>;
    requires std::is_empty_v<T>;
};

template <class T>
consteval auto operand_node() {
    if constexpr (expression<T>)
        return std::type_identity<T>{};
    else if constexpr (integral_constant<T>)
        return std::type_identity<typename constant<static_cast<integer>(T::value), 1>::node>{};
    else {
        constexpr bool known = storable<T>;
        static_assert(known, "operator: an operand is neither an expression nor a number; use variables, constants such as "
                             "2_c, numbers, or chainrule functions of them");
        return std::type_identity<typename number<T>::node>{};
    }
}
template <class T, bool = expression<T>>
struct operand_type {
    using type = T;
};
template <class T>
struct operand_type<T, false> {
    using type = typename decltype(operand_node<T>())::type;
};
template <class T>
using operand = typename operand_type<T>::type;

template <class T>
[[gnu::always_inline]] constexpr operand<T> as_operand(const T& x) {
    if constexpr (expression<T>)
        return x;
    else if constexpr (integral_constant<T>)
        return {};
    else
        return {x};
}

// The node of operands that hold stored numbers.
template <class Node, class A, class B>
CHAINRULE_PER_NODE Node joined(A a, B b) {
    if constexpr (A::numbers == 0)
        return {{b}};
    else if constexpr (B::numbers == 0)
        return {{a}};
    else
        return {{a, b}};
}

// Whether the operators of a type take numbers and so expressions, as a matrix of another library does (interop/): those
// here then leave it to them.
template <class T>
inline constexpr bool has_own_operators = false;

// What stands beside an expression may be anything else: operand_node says what cannot be an operand.
template <class L, class R>
concept operand_pair = (expression<L> && (expression<R> || !has_own_operators<R>)) || (expression<R> && !has_own_operators<L>);

} // namespace program

// Hana's own operators take anything that stands beside one of its constants; the last two overloads are more
// specialized and therefore win.
#define CHAINRULE_OPERATOR(SYMBOL, NAME)                                                                               \
    template <class L, class R>                                                                                        \
        requires program::operand_pair<L, R>                                                                           \
    CHAINRULE_PER_NODE auto operator SYMBOL(L l, R r) {                                                                \
        using node = typename binary<operations::NAME, program::operand<L>, program::operand<R>>::node;                \
        if constexpr (node::numbers == 0)                                                                              \
            return node{};                                                                                             \
        else                                                                                                           \
            return program::joined<node>(program::as_operand(l), program::as_operand(r));                              \
    }                                                                                                                  \
    template <class T, T Value, expression R>                                                                          \
    CHAINRULE_PER_NODE auto operator SYMBOL(boost::hana::integral_constant<T, Value>, R r) {                           \
        return typename constant<static_cast<program::integer>(Value), 1>::node{} SYMBOL r;                            \
    }                                                                                                                  \
    template <expression L, class T, T Value>                                                                          \
    CHAINRULE_PER_NODE auto operator SYMBOL(L l, boost::hana::integral_constant<T, Value>) {                           \
        return l SYMBOL typename constant<static_cast<program::integer>(Value), 1>::node{};                            \
    }
CHAINRULE_OPERATOR(+, add)
CHAINRULE_OPERATOR(-, subtract)
CHAINRULE_OPERATOR(*, multiply)
CHAINRULE_OPERATOR(/, divide)
#undef CHAINRULE_OPERATOR

template <expression A>
CHAINRULE_PER_NODE auto operator-(A a) {
    using node = typename unary<operations::negate, A>::node;
    if constexpr (node::numbers == 0)
        return node{};
    else
        return node{{a}};
}
template <expression A>
CHAINRULE_PER_NODE A operator+(A a) {
    return a;
}

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <expression A>                                                                                            \
    CHAINRULE_PER_NODE auto NAME(A a) {                                                                                \
        using node = typename unary<functions::NAME, A>::node;                                                         \
        if constexpr (node::numbers == 0)                                                                              \
            return node{};                                                                                             \
        else                                                                                                           \
            return node{{a}};                                                                                          \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class L, class R>                                                                                        \
        requires program::operand_pair<L, R>                                                                           \
    CHAINRULE_PER_NODE auto NAME(L l, R r) {                                                                           \
        using node = typename binary<functions::NAME, program::operand<L>, program::operand<R>>::node;                 \
        if constexpr (node::numbers == 0)                                                                              \
            return node{};                                                                                             \
        else                                                                                                           \
            return program::joined<node>(program::as_operand(l), program::as_operand(r));                              \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY

} // namespace chainrule
