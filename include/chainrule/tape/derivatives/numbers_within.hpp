// SPDX-License-Identifier: BSL-1.0
//
// The active numbers within what functions take and return: numbers, lists, matrices of Eigen, tuples, structs, and
// these within one another.
#pragma once

#include <chainrule/dual/dual.hpp>
#include <chainrule/tape/derivatives/points.hpp>
#include <chainrule/trace/shapes.hpp>

#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

namespace chainrule::tape::within {

/// Stands for a class that may have numbers which cannot be found.
struct closed {};

/// Whether S is an eager number, which holds an active one: tape/eager.hpp, which need not be included.
template <class S>
inline constexpr bool is_eager = requires { typename S::held_number; };

/// Whether S is an expression of active numbers, which is not on a tape.
template <class S>
inline constexpr bool is_unassigned = false;
template <expression S>
requires(!expressions::is_active<S> && !std::same_as<typename actives_in<S>::type, kernel::none>)
inline constexpr bool is_unassigned<S> = true;
/// The number of an expression of active numbers; other arguments unchanged.
template <class S>
[[nodiscard]] decltype(auto) assigned(S&& s) {
    if constexpr (is_unassigned<std::remove_cvref_t<S>>)
        return active<typename actives_in<std::remove_cvref_t<S>>::type>(s);
    else
        return std::forward<S>(s);
}

/// For each active number in an S the number type of its tape; of a list for one element.
template <class S>
consteval auto types() {
    using tracing::fields_of, tracing::has_elements, tracing::has_parts;
    if constexpr (std::is_arithmetic_v<S> || std::is_enum_v<S>) {
        return core::type_list<>{};
    } else if constexpr (expressions::is_active<S>) {
        return core::type_list<typename S::plain_number>{};
    } else if constexpr (is_eager<S>) {
        return within::types<typename S::held_number>();
    } else if constexpr (is_unassigned<S>) {
        return core::type_list<closed>{};
    } else if constexpr (detail::is_dual<S>) {
        return within::types<decltype(S::value)>();
    } else if constexpr (matrix_object<S>) {
        return within::types<typename S::Scalar>();
    } else if constexpr (has_elements<S>) {
        return within::types<std::iter_value_t<decltype(std::begin(std::declval<S&>()))>>();
    } else if constexpr (has_parts<S>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (core::type_list<>{} + ... + within::types<std::remove_cvref_t<std::tuple_element_t<I, S>>>());
        }(std::make_index_sequence<std::tuple_size<S>::value>{});
    } else if constexpr (fields_of<S> > 0) {
        constexpr auto all = [](auto&... field) {
            return (core::type_list<>{} + ... + within::types<std::remove_cvref_t<decltype(field)>>());
        };
        return decltype(tracing::with_fields<fields_of<S>>(std::declval<S&>(), all)){};
    } else if constexpr (std::is_empty_v<S>) {
        return core::type_list<>{};
    } else {
        return core::type_list<closed>{};
    }
}

template <class T, class... All>
consteval bool has(core::type_list<All...>) {
    return (false || ... || std::same_as<T, All>);
}
/// The first type in a list that is a number type; closed if there is none.
consteval auto first(core::type_list<>) { return std::type_identity<closed>{}; }
template <class T, class... All>
consteval auto first(core::type_list<T, All...>) {
    if constexpr (std::same_as<T, closed>)
        return within::first(core::type_list<All...>{});
    else
        return std::type_identity<T>{};
}

/// Calls visit with each active<T> in s, first to last.
template <class T, class S, class Visit>
void for_each_active(S& s, const Visit& visit) {
    using plain = std::remove_cv_t<S>;
    using tracing::fields_of, tracing::has_elements, tracing::has_parts;
    const auto each = [&](auto&... part) { (within::for_each_active<T>(part, visit), ...); };
    if constexpr (std::same_as<plain, active<T>>)
        visit(s);
    else if constexpr (!within::has<T>(within::types<plain>()))
        return;
    else if constexpr (is_eager<plain>)
        each(s.held());
    else if constexpr (detail::is_dual<plain>)
        each(s.value, s.tangents);
    else if constexpr (matrix_object<plain>)
        for (std::size_t i = 0; i < points::size_of(s); ++i) each(points::element(s, i));
    else if constexpr (has_elements<plain>)
        for (auto& element : s) each(element);
    else if constexpr (has_parts<plain>)
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            using std::get;
            each(get<I>(s)...);
        }(std::make_index_sequence<std::tuple_size<plain>::value>{});
    else
        tracing::with_fields<fields_of<plain>>(s, each);
}

} // namespace chainrule::tape::within
