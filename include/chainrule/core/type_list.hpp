// SPDX-License-Identifier: BSL-1.0
//
// Lists of types, of any length: the expressions and variables of a program. The nesting depth of templates and fold
// expressions here does not grow with the length of a list; clang allows 256 levels of fold expressions.
#pragma once

#include <chainrule/core/rooms.hpp>
#include <chainrule/core/step.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule::core {

/// Whether all, or any, conditions are true. Since a pack may be empty, add a constant: all_true({is_binding<T>...,
/// true}).
template <std::size_t Size>
[[nodiscard]] constexpr bool all_true(const bool (&conditions)[Size]) {
    for (const bool condition : conditions)
        if (!condition) return false;
    return true;
}
template <std::size_t Size>
[[nodiscard]] constexpr bool any_true(const bool (&conditions)[Size]) {
    for (const bool condition : conditions)
        if (condition) return true;
    return false;
}
/// The place of the first that is true, -1 if none is.
template <std::size_t Size>
[[nodiscard]] constexpr int first_true(const bool (&conditions)[Size]) {
    for (std::size_t i = 0; i < Size; ++i)
        if (conditions[i]) return static_cast<int>(i);
    return -1;
}
template <class T, std::size_t Size>
[[nodiscard]] constexpr T sum_of(const T (&numbers)[Size]) {
    T sum = 0;
    for (const T n : numbers) sum += n;
    return sum;
}

template <class... T>
struct type_list {
    static constexpr int size = sizeof...(T);
};

template <class T>
inline constexpr bool is_type_list = false;
template <class... T>
inline constexpr bool is_type_list<type_list<T...>> = true;

template <class... A, class... B>
consteval type_list<A..., B...> operator+(type_list<A...>, type_list<B...>) {
    return {};
}

/// The base class for a key, void if there is none. Base classes declare `static Base find(const Key*)`, and the class
/// with these bases has using-declarations for all and `static void find(const void*)`. (Not by deduction from the base
/// classes: g++ 14 takes members of one class template, such as symbol<Name>::node, for each other there.)
template <class Key, class Entries>
using entry_of = decltype(Entries::find(static_cast<const Key*>(nullptr)));
/// The same, or std::type_identity<Default> if there is none.
template <class Key, class Entries, class Default>
using entry_or =
    std::conditional_t<std::is_void_v<entry_of<Key, Entries>>, std::type_identity<Default>, entry_of<Key, Entries>>;
/// The value in the base class for a key.
template <class Key, class Entries>
CHAINRULE_STEP constexpr const auto& value_in_entry(const Entries& entries) {
    return static_cast<const entry_of<Key, Entries>&>(entries).value;
}

template <std::size_t, class T>
using type_for_index = T;
template <class T, std::size_t... I>
type_list<type_for_index<I, T>...> repeat(std::index_sequence<I...>);
/// A list of one type so many times.
template <std::size_t Size, class T>
using repeated_type = decltype(core::repeat<T>(std::make_index_sequence<Size>{}));

// Several lists as one, eight at a time.
template <class... List>
struct joined_lists;
template <>
struct joined_lists<> {
    using type = type_list<>;
};
template <class... A>
struct joined_lists<type_list<A...>> {
    using type = type_list<A...>;
};
template <class... A, class... B, class... List>
struct joined_lists<type_list<A...>, type_list<B...>, List...> : joined_lists<type_list<A..., B...>, List...> {};
template <class... A, class... B, class... C, class... D, class... E, class... F, class... G, class... H, class... List>
struct joined_lists<type_list<A...>, type_list<B...>, type_list<C...>, type_list<D...>, type_list<E...>,
                    type_list<F...>, type_list<G...>, type_list<H...>, List...>
    : joined_lists<type_list<A..., B..., C..., D..., E..., F..., G..., H...>, List...> {};

// Base classes give access to a type by its position.
template <std::size_t K, class T>
struct type_at_place {
    using type = T;
};
template <class Indices, class... T>
struct types_by_place;
template <std::size_t... K, class... T>
struct types_by_place<std::index_sequence<K...>, T...> : type_at_place<K, T>... {};
template <std::size_t K, class T>
type_at_place<K, T> find_type(const type_at_place<K, T>*);

template <int K, class List>
struct type_at;
template <int K, class... T>
struct type_at<K, type_list<T...>>
    : decltype(core::find_type<static_cast<std::size_t>(K)>(
          static_cast<const types_by_place<std::index_sequence_for<T...>, T...>*>(nullptr))) {};

} // namespace chainrule::core
