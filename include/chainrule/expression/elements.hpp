// SPDX-License-Identifier: BSL-1.0
//
// Lists of expressions, and the arithmetic of their elements with the operations of expression/operators.hpp, in which
// exact constants 0 and 1 cost no operation. expression/arrays.hpp and matrices/ build on this header.
#pragma once

#include <chainrule/expression/conditional.hpp>
#include <chainrule/core/type_list.hpp>

#include <utility>

namespace chainrule {

template <class... E>
struct expression_vector;
template <std::size_t Columns, class... E>
struct expression_matrix;
template <int Size, core::hash_value Hash>
struct long_vector;
template <std::size_t Columns, int Size, core::hash_value Hash>
struct long_matrix;

namespace expressions {

// Their members: expression/vector.hpp, matrices/matrix.hpp.
template <class Elements>
struct members_of_vector;
template <std::size_t Columns, class Elements>
struct members_of_matrix;

// An expression and its position in a vector; the position distinguishes equal types. Without stored numbers nothing is
// stored and no object of the type is created: clang writes the name of the type of every object that it emits, and the
// name of a nested type is as long as the expression written out as a tree.
template <std::size_t I, class E, bool = (int{E::numbers} > 0)>
struct element {};
template <std::size_t I, class E>
struct element<I, E, true> {
    E value;
};

template <class Indices, class List>
struct elements;
template <std::size_t... I, class... E>
struct elements<std::index_sequence<I...>, core::type_list<E...>> : element<I, E>... {};

template <std::size_t I, class E>
CHAINRULE_PER_NODE E element_at(const element<I, E, false>&) {
    return {};
}
template <std::size_t I, class E>
CHAINRULE_PER_NODE E element_at(const element<I, E, true>& e) {
    return e.value;
}

template <std::size_t I, class E>
CHAINRULE_PER_NODE element<I, E> held([[maybe_unused]] E e) {
    if constexpr (int{E::numbers} > 0)
        return {e};
    else
        return {};
}
template <std::size_t Columns, class... E>
consteval auto array_type(core::type_list<E...>) {
    return std::type_identity<
        std::conditional_t<Columns == 0, expression_vector<E...>, expression_matrix<Columns, E...>>>{};
}
template <std::size_t Columns, int Size, hash_value Hash>
consteval auto array_type(abbreviated_list<Size, Hash>) {
    return std::type_identity<
        std::conditional_t<Columns == 0, long_vector<Size, Hash>, long_matrix<Columns, Size, Hash>>>{};
}
// All outputs of traced code.
template <std::size_t Columns, class Outputs>
consteval auto array_type(Outputs) {
    return array_type<Columns>(typename Outputs::list{});
}
template <std::size_t Columns, class List>
using array_with = typename decltype(array_type<Columns>(List{}))::type;
template <std::size_t Columns, std::size_t... I, class... E>
CHAINRULE_PER_NODE auto array_holding(std::index_sequence<I...>, E... e) {
    using name = short_list<core::type_list<E...>>;
    using array = array_with<Columns, name>;
    if constexpr (std::is_same_v<array, array_with<Columns, core::type_list<E...>>>)
        return array{{{held<I>(e)...}, {}, {}}};
    else
        return array{{{{held<I>(e)...}, {}, {}}}};
}
/// The matrix of the given elements with that many columns, or for 0 columns the vector.
template <std::size_t Columns, class... E>
CHAINRULE_PER_NODE auto array_of(E... e) {
    return array_holding<Columns>(std::index_sequence_for<E...>{}, e...);
}

/// The value of an index such as 2_c or std::integral_constant<int, 2>, or -1.
template <class Index>
consteval int constant_index() {
    if constexpr (expression<Index>) {
        if constexpr (int{Index::arity} == 0 && int{Index::numbers} == 0 && int{Index::is_variable} == 0) {
            constexpr coefficient c = Index::value();
            if (c.exact() && c.denominator == 1 && c.numerator >= 0 && c.numerator < 65536)
                return static_cast<int>(c.numerator);
        }
    } else if constexpr (integral_constant<Index>) {
        if (Index::value >= 0 && Index::value < 65536) return static_cast<int>(Index::value);
    }
    return -1;
}

/// A constant that can be an order: an integral constant, or a literal such as 2_c.
template <class T>
concept constant_order = integral_constant<T> || (expression<T> && constant_index<T>() >= 0);

// Leaves are distinguished by their hashes, so that no template is named by the type of an element.
inline constexpr hash_value zero_hash{constant<0, 1>::node::hash}, one_hash{constant<1, 1>::node::hash},
    minus_one_hash{constant<-1, 1>::node::hash};
#define CHAINRULE_IS_CONSTANT(E, HASH) (int{E::arity} == 0 && hash_value{E::hash} == HASH)

using exact_zero = constant<0, 1>::node;

template <class Operation, class A, class B>
CHAINRULE_PER_NODE auto combined(A a, B b) {
    using result = typename binary<Operation, A, B>::node;
    if constexpr (int{result::numbers} == 0)
        return result{};
    else
        return joined<result>(a, b);
}
template <class A>
CHAINRULE_PER_NODE auto opposite_element(A a) {
    if constexpr (!expression<A>)
        return static_cast<A>(-a);
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash))
        return a;
    else if constexpr (CHAINRULE_IS_CONSTANT(A, one_hash))
        return constant<-1, 1>::node{};
    else if constexpr (CHAINRULE_IS_CONSTANT(A, minus_one_hash))
        return constant<1, 1>::node{};
    else
        return -a;
}
template <class A, class B>
CHAINRULE_PER_NODE auto sum_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a + b); // numbers: matrices/fixed_numbers.hpp
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash))
        return b;
    else if constexpr (CHAINRULE_IS_CONSTANT(B, zero_hash))
        return a;
    else
        return combined<operations::add>(a, b);
}
template <class A, class B, class C, class... Rest>
CHAINRULE_PER_NODE auto sum_of_elements(A a, B b, C c, Rest... rest) {
    return sum_of_elements(sum_of_elements(a, b), c, rest...);
}
// Adds `Count` terms, from number `First` on, to the sum, from the left. The range is halved recursively: otherwise
// templates would nest as deep as the sum is long.
template <class Terms, std::size_t First, std::size_t Count, class Sum, class... Of>
CHAINRULE_PER_NODE auto sum_of_terms(Sum sum, const Of&... of) {
    if constexpr (Count == 0)
        return sum;
    else if constexpr (Count == 1)
        return sum_of_elements(sum, Terms::template term<First>(of...));
    else
        return sum_of_terms<Terms, First + Count / 2, Count - Count / 2>(
            sum_of_terms<Terms, First, Count / 2>(sum, of...), of...);
}
template <class A, class B>
CHAINRULE_PER_NODE auto difference_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a - b);
    else if constexpr (CHAINRULE_IS_CONSTANT(B, zero_hash))
        return a;
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash))
        return opposite_element(b);
    else
        return combined<operations::subtract>(a, b);
}
template <class A, class B>
CHAINRULE_PER_NODE auto product_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a * b);
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash) || CHAINRULE_IS_CONSTANT(B, one_hash))
        return a;
    else if constexpr (CHAINRULE_IS_CONSTANT(B, zero_hash) || CHAINRULE_IS_CONSTANT(A, one_hash))
        return b;
    else if constexpr (CHAINRULE_IS_CONSTANT(A, minus_one_hash))
        return opposite_element(b);
    else if constexpr (CHAINRULE_IS_CONSTANT(B, minus_one_hash))
        return opposite_element(a);
    else
        return combined<operations::multiply>(a, b);
}
template <class A, class B>
CHAINRULE_PER_NODE auto quotient_of_elements(A a, B b) {
    if constexpr (!expression<A>)
        return static_cast<A>(a / b);
    else if constexpr (CHAINRULE_IS_CONSTANT(A, zero_hash) || CHAINRULE_IS_CONSTANT(B, one_hash))
        return a;
    else
        return combined<operations::divide>(a, b);
}

} // namespace expressions
} // namespace chainrule
