// SPDX-License-Identifier: BSL-1.0
//
// The arguments of a batch as streams: which column is which input of the kernel, by position or by name, and which
// output goes where.
#pragma once

#include <chainrule/batch/data/checks.hpp>
#include <chainrule/batch/data/streams.hpp>
#include <chainrule/batch/data/tables.hpp>
#include <chainrule/entry/inputs.hpp>

#include <array>
#include <tuple>

namespace chainrule::batches {

// The columns of a table.
template <class T, layout Layout, bool Temporary, std::size_t... I>
[[nodiscard]] constexpr auto list_of_table(const table_view<T, Layout, Temporary>& table, std::index_sequence<I...>) {
    return make_columns<void>(column_view<T, (static_cast<void>(I), Layout)>{
        table.first + static_cast<std::ptrdiff_t>(I) * table.variable_stride, table.points, table.point_stride}...);
}
template <std::size_t Count, class T, layout Layout, bool Temporary>
[[nodiscard]] constexpr auto checked_table(const table_view<T, Layout, Temporary>& table) {
    if (table.variables == 0)
        check_rows(table.points, Count, table.point_stride, table.size);
    else if (table.variables != Count)
        refuse_width(table.variables, Count);
    return list_of_table(table, std::make_index_sequence<Count>{});
}

/// An argument as a list of columns, Count of them where that is not known: columns(), rows(), a matrix, a range or a
/// number.
template <std::size_t Count, class A>
[[nodiscard]] constexpr auto as_list(A& argument) {
    using plain = std::remove_const_t<A>;
    if constexpr (is_column_list<plain>)
        return argument;
    else if constexpr (is_table_view<plain>)
        return checked_table<Count>(argument);
    else if constexpr (rank_of<plain> == 2)
        return checked_table<Count>(table_of_matrix(argument));
    else
        return make_columns<void>(as_column(argument));
}

/// The number type of points.
template <std::size_t Count, class Points>
using number_of_points =
    std::remove_const_t<typename std::remove_cvref_t<decltype(as_list<Count>(std::declval<const Points&>()))>::number>;

/// The number of points.
template <std::size_t Count, class Points>
[[nodiscard]] constexpr std::size_t point_count(const Points& points) {
    const auto list = as_list<Count>(points);
    for (std::size_t i = 0; i < list.count; ++i)
        if (list.layouts[i] != layout::common) return list.size[i];
    return 0;
}

template <class List>
inline constexpr bool all_common = [] {
    for (const layout each : List::layouts)
        if (each != layout::common) return false;
    return true;
}();
template <class List>
using element_of_list = std::conditional_t<all_common<List>, kernel::none, typename List::number>;

template <class To, class From>
constexpr void append(To& to, std::size_t& at, const From& from) {
    for (std::size_t i = 0; i < From::count; ++i, ++at) {
        if (From::layouts[i] == layout::common) {
            to.common[at] = static_cast<std::remove_const_t<typename To::number>>(from.common[i]);
        } else if constexpr (!all_common<From>) {
            to.first[at] = from.first[i];
            to.size[at] = from.size[i];
            to.stride[at] = from.stride[i];
        }
    }
}
template <class T, class A, class B>
struct layouts_joined;
template <class T, class A, class B, class AN, class BN, layout... AL, layout... BL>
struct layouts_joined<T, column_list<A, AN, AL...>, column_list<B, BN, BL...>> {
    using type = column_list<T, void, AL..., BL...>;
};
/// Two lists of columns, one after the other, as one.
template <class A, class B>
[[nodiscard]] constexpr auto join(const A& a, const B& b) {
    using element =
        typename decltype(std::type_identity<element_of_list<A>>{} + std::type_identity<element_of_list<B>>{})::type;
    using T = std::conditional_t<std::same_as<element, kernel::none>, typename A::number, element>;
    typename layouts_joined<T, A, B>::type list{};
    std::size_t at = 0;
    append(list, at, a);
    append(list, at, b);
    return list;
}
template <class A>
[[nodiscard]] constexpr auto joined(const A& list) {
    return list;
}
template <class A, class B, class... Rest>
[[nodiscard]] constexpr auto joined(const A& a, const B& b, const Rest&... rest) {
    return joined(join(a, b), rest...);
}
template <class List>
inline constexpr bool no_common = [] {
    for (const layout each : List::layouts)
        if (each == layout::common) return false;
    return true;
}();
/// Whether the columns of a list, if it has any, hold numbers of type T.
template <class T, class List>
inline constexpr bool same_number = [] {
    if constexpr (List::count == 0 || all_common<List>)
        return true;
    else
        return std::same_as<T, std::remove_const_t<typename List::number>>;
}();

/// A list as one of type T: common numbers are converted.
template <class T, class U, class Names, layout... Layouts>
[[nodiscard]] constexpr auto as_numbers(const column_list<U, Names, Layouts...>& list) {
    if constexpr (all_common<column_list<U, Names, Layouts...>>) {
        column_list<const T, Names, Layouts...> converted{};
        std::size_t at = 0;
        append(converted, at, list);
        return converted;
    } else {
        return list;
    }
}

/// No columns.
struct no_columns {
    static constexpr std::size_t count = 0;
    static constexpr std::array<layout, 0> layouts{};
};
template <class T>
[[nodiscard]] constexpr no_columns as_numbers(no_columns) {
    return {};
}

// Directions and weights
// -----------------------------------------------------------------------------------------------

/// Several directions or weights.
template <class List, std::size_t Sets>
struct set_list {
    static constexpr std::size_t sets = Sets;
    List list;
};
template <class... A>
struct several {
    std::tuple<A...> each;
};

// A std::array has one number for each input, for all points; anything else is given as points are.
template <std::size_t Count, class A>
[[nodiscard]] constexpr auto as_set(const A& argument) {
    if constexpr (requires {
                      std::tuple_size<A>::value;
                      argument.data();
                  })
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return make_columns<void>(common_number<typename A::value_type>{argument[I]}...);
        }(std::make_index_sequence<std::tuple_size_v<A>>{});
    else
        return as_list<Count>(argument);
}
template <std::size_t Count, class A>
[[nodiscard]] constexpr auto as_sets(const A& argument) {
    const auto list = as_set<Count>(argument);
    constexpr bool right = list.count == Count;
    static_assert(right,
                  "batch: a direction does not have one number per variable, or weights one per expression; give "
                  "that many");
    if constexpr (right)
        return set_list<std::remove_const_t<decltype(list)>, 1>{list};
    else
        return as_sets<Count>(std::array<double, Count>{});
}
template <std::size_t Count, class... A>
[[nodiscard]] constexpr auto as_sets(const several<A...>& arguments) {
    return std::apply(
        [](const auto&... each) {
            const auto list = joined(as_sets<Count>(each).list...);
            return set_list<std::remove_const_t<decltype(list)>, sizeof...(A)>{list};
        },
        arguments.each);
}
template <std::size_t Count, class A>
inline constexpr std::size_t sets_in = decltype(as_sets<Count>(std::declval<const A&>()))::sets;

// Inputs
// ---------------------------------------------------------------------------------------------------------------

inline constexpr std::size_t not_given = static_cast<std::size_t>(-1);

// The column of input number i in a list: by position, or of the variable W.
template <class W, class... Names>
[[nodiscard]] consteval std::size_t place_of_name(core::type_list<Names...>) {
    const bool is_named[] = {std::same_as<W, Names>..., false};
    for (std::size_t place = 0; place < sizeof...(Names); ++place)
        if (is_named[place]) return place;
    return not_given;
}
template <class List, class W>
[[nodiscard]] constexpr std::size_t place_in(std::size_t i, std::size_t positions) {
    if constexpr (std::same_as<typename List::names, void>)
        return i < positions && i < List::count ? i : not_given;
    else
        return place_of_name<W>(typename List::names{});
}

// Copies columns to streams and to their descriptions.
template <class Streams>
struct stream_filler {
    Streams& streams;
    described_column* described;
    std::size_t at = 0;

    template <class T>
    constexpr void add(T* first, std::size_t size, std::ptrdiff_t stride, bool common, const char* what,
                       const char* name, std::size_t number) {
        streams.first[at] = first;
        streams.stride[at] = stride;
        described[at++] = {what, name, number, first, size, stride, common};
    }
    template <class List>
    constexpr void add_column(const List& list, std::size_t i, const char* what, const char* name, std::size_t number) {
        [[maybe_unused]] const bool common = List::layouts[i] == layout::common;
        if constexpr (std::is_const_v<std::remove_reference_t<decltype(*streams.first[0])>>)
            if (common) return add(&list.common[i], 0, 0, true, what, name, number);
        add(list.first[i], list.size[i], list.stride[i], false, what, name, number);
    }
};

} // namespace chainrule::batches
