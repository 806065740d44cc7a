// SPDX-License-Identifier: BSL-1.0
//
// How does one ask for several expressions at once, and by which variables? vector(f1, f2) and wrt(x, y).
#pragma once

#include <chainrule/expression/operators.hpp>
#include <chainrule/program/type_list.hpp>

#include <utility>

namespace chainrule {

namespace program {

template <class T>
inline constexpr bool variable_node = false;
template <expression T>
inline constexpr bool variable_node<T> = int{T::is_variable} != 0;

// An expression and its place in a vector; the place tells equal types apart. Nothing is stored, and no object of the
// type is made, where there are no stored numbers: clang writes the name of every type of an object it emits, and the
// name of a nested type is as long as the expression written out as a tree.
template <std::size_t I, class E, bool = (int{E::numbers} > 0)>
struct element {
    constexpr element(const E&) {}
};
template <std::size_t I, class E>
struct element<I, E, true> {
    E value;
};

template <class Indices, class... E>
struct elements;
template <std::size_t... I, class... E>
struct elements<std::index_sequence<I...>, E...> : element<I, E>... {
    constexpr elements(const E&... f) : element<I, E>{f}... {}
};

template <std::size_t I, class E>
constexpr E element_at(const element<I, E, false>&) {
    return {};
}
template <std::size_t I, class E>
constexpr const E& element_at(const element<I, E, true>& e) {
    return e.value;
}

template <class V, class... List>
inline constexpr int times_in = (0 + ... + (std::same_as<V, List> ? 1 : 0));

template <class V, class... List>
consteval int position_in(type_list<List...>) {
    int position = -1, i = 0;
    ((position = position < 0 && std::same_as<V, List> ? i : position, ++i), ...);
    return position;
}

} // namespace program

/// Several expressions as one. Everything that is asked of them shares one program.
template <class... E>
struct expression_vector : program::elements<std::index_sequence_for<E...>, E...> {
    using list = program::type_list<E...>;
    using program::elements<std::index_sequence_for<E...>, E...>::elements;
};

/// The vector of the expressions, constants or numbers given.
template <class... E>
    requires(sizeof...(E) > 0)
[[nodiscard]] constexpr auto vector(const E&... f) {
    return expression_vector<program::operand<E>...>(program::as_operand(f)...);
}

/// The variables by which derivatives are taken, in the order of the results. A boost::hana::tuple of variables is
/// accepted wherever this list is.
template <class... V>
[[nodiscard]] constexpr auto wrt(V...) {
    constexpr bool variables = (true && ... && program::variable_node<V>);
    static_assert(variables, "wrt: an argument is not a variable; pass variables only, as in wrt(x, y)");
    constexpr bool once = !variables || (true && ... && (program::times_in<V, V...> == 1));
    static_assert(once, "wrt: a variable stands twice; name each variable once");
    return program::type_list<V...>{};
}

namespace program {

template <class... V>
constexpr type_list<V...> as_list(type_list<V...>) {
    return {};
}
template <class... V>
constexpr type_list<V...> as_list(const boost::hana::tuple<V...>&) {
    return {};
}
template <class List>
using list_of = decltype(as_list(std::declval<List>()));

} // namespace program
} // namespace chainrule
