// SPDX-License-Identifier: BSL-1.0
//
// Operators and functions that build the nested types. Each operand is converted to an expression first: an expression
// is kept, an integral constant (of Hana or the standard library) is exact, any other number is stored. Comparisons are
// in expression/conditional.hpp.
#pragma once

#include <chainrule/expression/repeated_numbers.hpp>
#include <chainrule/expression/variable.hpp>

#include <boost/hana/fwd/integral_constant.hpp>

namespace chainrule {

namespace expressions {

using functions::integral_constant;

/// An operand that is not an expression: a number that can be stored. A class with operators may opt out.
// clang-format off: it takes the product for a pointer
template <class T>
concept storable = !expression<T> && (std::is_arithmetic_v<T> || (requires(T a) {
    { a + a };
    { a * a };
} && !requires { typename T::is_no_number; }));
// clang-format on

/// Whether T is an instance of a class template for numbers on a tape (tape/recording/active.hpp), as of std::complex.
/// It may be a number too, but its operators are those of its class.
template <class T>
inline constexpr bool is_made_of_tape_numbers =
    std::is_class_v<T> && requires(const T* object) { holds_numbers_of_tape(object); };

/// Whether operators of expressions take a T.
template <class T>
consteval bool is_operand() {
    if constexpr (expression<T> || integral_constant<T>)
        return true;
    else if constexpr (array_of_expressions<T>)
        return false; // its operators would report its product with itself
    else
        return storable<T> && !is_made_of_tape_numbers<T>;
}
template <class T>
consteval auto operand_node() {
    if constexpr (expression<T>)
        return std::type_identity<T>{};
    else if constexpr (integral_constant<T>)
        return std::type_identity<typename constant_of_integral<T::value>::node>{};
    else {
        constexpr bool known = is_operand<T>();
        static_assert(known,
                      "operator: an operand is neither an expression nor a number; use variables, constants such as "
                      "2_c, numbers, or chainrule functions of them");
        if constexpr (known)
            return std::type_identity<typename number<T>::node>{};
        else
            return std::type_identity<typename constant<0, 1>::node>{}; // adds no errors
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

// An expression is passed on by reference: each copy of its numbers would take time in constant evaluations.
template <class T>
[[gnu::always_inline]] constexpr decltype(auto) as_operand(const T& x) {
    if constexpr (expression<T>)
        return (x);
    else if constexpr (int{operand<T>::numbers} == 0)
        return operand<T>{};
    else
        return operand<T>{x};
}

// The node of operands that contain stored numbers.
template <class Node, class A, class B>
CHAINRULE_PER_NODE auto joined([[maybe_unused]] const A& a, [[maybe_unused]] const B& b) {
    if constexpr (int{A::numbers} == 0)
        return Node{{b}};
    else if constexpr (int{B::numbers} == 0)
        return Node{{a}};
    else if constexpr (numbers_repeat<Node, int{A::numbers}, int{B::numbers}>())
        return refused_as_repetition<(sizeof(Node) == 0)>();
    else if constexpr (int{Node::arity} == 2)
        return Node{{{a, b}}};
    else
        return Node{{a, b}};
}

template <class E>
constexpr auto first_of([[maybe_unused]] const E& f) {
    if constexpr (int{E::first::numbers} == 0)
        return typename E::first{};
    else
        return f.a;
}
template <class E>
constexpr auto second_of([[maybe_unused]] const E& f) {
    if constexpr (int{E::second::numbers} == 0)
        return typename E::second{};
    else
        return f.b;
}
template <class E>
constexpr auto third_of([[maybe_unused]] const E& f) {
    if constexpr (int{E::third::numbers} == 0)
        return typename E::third{};
    else
        return f.c;
}
// The same of three operands.
template <class Node, class A, class B, class C>
CHAINRULE_PER_NODE auto joined([[maybe_unused]] const A& a, [[maybe_unused]] const B& b, [[maybe_unused]] const C& c) {
    if constexpr (int{Node::numbers} == 0)
        return empty<Node>();
    else if constexpr (numbers_repeat<Node, int{A::numbers}, int{B::numbers}, int{C::numbers}>())
        return refused_as_repetition<(sizeof(Node) == 0)>();
    else if constexpr (int{A::numbers} == 0)
        return joined<Node>(b, c);
    else if constexpr (int{B::numbers} == 0)
        return joined<Node>(a, c);
    else if constexpr (int{C::numbers} == 0)
        return joined<Node>(a, b);
    else
        return Node{{a, b, c}};
}

// Whether the operators of a type accept numbers and so expressions, as those of another library's matrix do
// (interop/): then the operators here do not apply. A class template of the user may have its own for numbers on a tape
// (tape/recording/active.hpp).
template <class T>
inline constexpr bool has_own_operators = is_made_of_tape_numbers<T> && !is_operand<T>();

// The other operand may have any type: operand_node rejects what cannot be an operand.
template <class L, class R>
concept operand_pair =
    (expression<L> && (expression<R> || !has_own_operators<R>)) || (expression<R> && !has_own_operators<L>);

template <class A, class B, class C>
concept operand_triple = (expression<A> || expression<B> || expression<C>) &&
                         !(has_own_operators<A> || has_own_operators<B> || has_own_operators<C>);

} // namespace expressions

// Hana's own operators accept any other operand with one of its constants; the last two overloads are more specialized
// and therefore win.
#define CHAINRULE_OPERATOR(SYMBOL, NAME)                                                                               \
    template <class L, class R>                                                                                        \
    requires expressions::operand_pair<L, R>                                                                           \
    CHAINRULE_PER_NODE auto operator SYMBOL(L l, R r) {                                                                \
        using node = typename binary<operations::NAME, expressions::operand<L>, expressions::operand<R>>::node;        \
        if constexpr (int{node::numbers} == 0)                                                                         \
            return expressions::empty<node>();                                                                         \
        else                                                                                                           \
            return expressions::joined<node>(expressions::as_operand(l), expressions::as_operand(r));                  \
    }                                                                                                                  \
    template <class T, T Value, expression R>                                                                          \
    CHAINRULE_PER_NODE auto operator SYMBOL(boost::hana::integral_constant<T, Value>, R r) {                           \
        return typename expressions::constant_of_integral<Value>::node {}                                              \
        SYMBOL r;                                                                                                      \
    }                                                                                                                  \
    template <expression L, class T, T Value>                                                                          \
    CHAINRULE_PER_NODE auto operator SYMBOL(L l, boost::hana::integral_constant<T, Value>) {                           \
        return l SYMBOL typename expressions::constant_of_integral<Value>::node{};                                     \
    }
CHAINRULE_OPERATOR(+, add)
CHAINRULE_OPERATOR(-, subtract)
CHAINRULE_OPERATOR(*, multiply)
CHAINRULE_OPERATOR(/, divide)
#undef CHAINRULE_OPERATOR

/// The negative of an expression.
template <expression A>
CHAINRULE_PER_NODE auto operator-(A a) {
    using node = typename unary<operations::negate, A>::node;
    if constexpr (int{node::numbers} == 0)
        return expressions::empty<node>();
    else
        return node{{a}};
}
/// The expression itself.
template <expression A>
CHAINRULE_PER_NODE A operator+(A a) {
    return a;
}

/// The length of the vector (x, y, z), as std::hypot of three arguments.
template <class A, class B, class C>
requires expressions::operand_triple<A, B, C>
CHAINRULE_PER_NODE auto hypot(A x, B y, C z) {
    return hypot3(x, y, z);
}

// By reference: a user's function `template <class T> T square(const T& x)` is then a worse match, since the parameters
// are the same and only this one is constrained. (A user's function that takes its argument by value is ambiguous: no
// function template of all expressions can be better than both forms. tape/recording/functions_of_numbers.hpp has those
// of active numbers, which are.)
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <expression A>                                                                                            \
    CHAINRULE_PER_NODE auto NAME(const A& a) {                                                                         \
        using node = typename unary<functions::NAME, A>::node;                                                         \
        if constexpr (int{node::numbers} == 0)                                                                         \
            return expressions::empty<node>();                                                                         \
        else                                                                                                           \
            return node{{a}};                                                                                          \
    }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class L, class R>                                                                                        \
    requires expressions::operand_pair<L, R>                                                                           \
    CHAINRULE_PER_NODE auto NAME(L l, R r) {                                                                           \
        using row = typename functions::called_with<functions::NAME, R, std::is_integral_v<R>>::type;                  \
        using node = typename binary<row, expressions::operand<L>, expressions::operand<R>>::node;                     \
        if constexpr (int{node::numbers} == 0)                                                                         \
            return expressions::empty<node>();                                                                         \
        else                                                                                                           \
            return expressions::joined<node>(expressions::as_operand(l), expressions::as_operand(r));                  \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class A, class B, class C>                                                                               \
    requires expressions::operand_triple<A, B, C>                                                                      \
    CHAINRULE_PER_NODE auto NAME(A a, B b, C c) {                                                                      \
        using node = typename ternary<functions::NAME, expressions::operand<A>, expressions::operand<B>,               \
                                      expressions::operand<C>>::node;                                                  \
        return expressions::joined<node>(expressions::as_operand(a), expressions::as_operand(b),                       \
                                         expressions::as_operand(c));                                                  \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

} // namespace chainrule
