// SPDX-License-Identifier: BSL-1.0
//
// Which ranges own their numbers: a column that refers to a temporary one would dangle.
#pragma once

#include <chainrule/batch/data/multidimensional.hpp>
#include <chainrule/expression/binding.hpp>

#include <type_traits>
#include <utility>

namespace chainrule::batches {

/// The element type of a range in memory: of an array, or of a class with data() and size(); void for others.
template <class Range>
struct element_of_range {
    using type = void;
};
template <class Element, std::size_t Size>
struct element_of_range<Element[Size]> {
    using type = std::remove_cv_t<Element>;
};
template <class Range>
requires requires(const Range& range) {
    *range.data();
    range.size();
}
struct element_of_range<Range> {
    using type = std::remove_cvref_t<decltype(*std::declval<const Range&>().data())>;
};
template <class Range>
using element_in = typename element_of_range<Range>::type;

/// Whether a range holds numbers itself; a view does not, nor does an array of views. But the rows of a temporary range
/// count as such, since its numbers end with them.
template <class Range>
consteval bool owns_numbers() {
    if constexpr (requires { requires Range::of_temporary; })
        return true;
    else if constexpr (detail::eigen_array<Range>)
        return std::is_same_v<Range, typename Range::PlainObject>;
    else if constexpr (multidimensional<Range> || !expressions::is_bound_by_reference<Range>())
        return false;
    else if constexpr (std::is_class_v<element_in<Range>>) // rows are numbers
        return !std::is_trivially_copyable_v<element_in<Range>> ||
               expressions::is_bound_by_reference<element_in<Range>>() ||
               requires { std::tuple_size<element_in<Range>>::value; };
    else
        return true;
}

} // namespace chainrule::batches
