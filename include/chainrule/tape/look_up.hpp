// SPDX-License-Identifier: BSL-1.0
//
// Elements of a table whose place depends on the numbers: look_up(table, place). In a recording for replay it is not a
// branch but a choice among all elements, so that the place may change from point to point.
#pragma once

#include <chainrule/tape/replay/replayable.hpp>

#include <ranges>

namespace chainrule::tape {

namespace tables {

template <class N>
inline constexpr bool is_replayable = false;
template <class T>
inline constexpr bool is_replayable<replayable<T>> = true;
template <class N>
inline constexpr bool is_plain = std::is_arithmetic_v<N>;

/// The number type of elements of type E at a place of type N.
template <class E, class N>
struct element_of {
    using type = E;
};
template <class E, class N>
requires(is_plain<E> && (is_replayable<N> || carries_derivatives<N>))
struct element_of<E, N> {
    using type = N;
};

// The choice between so many elements from a first one on: as many comparisons and choices as elements, less one, in a
// tree, so that few of them wait for one another.
template <class Element, class Table, class N>
[[nodiscard]] Element chosen(const Table& table, const N& place, std::size_t first, std::size_t count) {
    if (count == 1) return Element(std::ranges::begin(table)[static_cast<std::ptrdiff_t>(first)]);
    const std::size_t half = count / 2, middle = first + half;
    return select(place < typename N::plain_number(middle), tables::chosen<Element>(table, place, first, half),
                  tables::chosen<Element>(table, place, middle, count - half));
}

} // namespace tables

/// Element k of a table, for k <= at < k + 1; the first one below 0, the last one above the end and for NaN. The
/// derivative with respect to `at` is 0. The table is a list of plain numbers or of those that f computes with. A
/// recording holds everywhere; each call takes twice as many operations as there are elements. Throws
/// std::invalid_argument for an empty table.
template <class Table, class N>
[[nodiscard]] auto look_up(const Table& table, const N& at) {
    using element = std::ranges::range_value_t<const Table>;
    using result = typename tables::element_of<element, N>::type;
    const auto count = static_cast<std::size_t>(std::ranges::size(table));
    if (count == 0) core::raise(std::invalid_argument("look_up: the table has no elements; give at least one"));
    if constexpr (tables::is_replayable<N>) {
        return tables::chosen<result>(table, at, 0, count);
    } else {
        std::size_t first = 0, last = count;
        while (last - first > 1) {
            const std::size_t middle = first + (last - first) / 2;
            (at < static_cast<double>(middle) ? last : first) = middle;
        }
        return result(std::ranges::begin(table)[static_cast<std::ptrdiff_t>(first)]);
    }
}

} // namespace chainrule::tape
