// SPDX-License-Identifier: BSL-1.0
//
// A list of types: the expressions and variables of a program.
#pragma once

#include <type_traits>

namespace chainrule::program {

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};

template <class... A, class... B>
consteval type_list<A..., B...> operator+(type_list<A...>, type_list<B...>) {
    return {};
}

template <class T, class List>
inline constexpr bool stands_in = false;
template <class T, class... A>
inline constexpr bool stands_in<T, type_list<A...>> = (false || ... || std::is_same_v<T, A>);

/// The types of a list that are not in another.
template <class... A, class Others>
consteval auto without(type_list<A...>, Others) {
    return (type_list<>{} + ... + std::conditional_t<stands_in<A, Others>, type_list<>, type_list<A>>{});
}

template <int K, class List>
struct type_at;
template <int K, class First, class... Rest>
struct type_at<K, type_list<First, Rest...>> : type_at<K - 1, type_list<Rest...>> {};
template <class First, class... Rest>
struct type_at<0, type_list<First, Rest...>> {
    using type = First;
};

} // namespace chainrule::program
