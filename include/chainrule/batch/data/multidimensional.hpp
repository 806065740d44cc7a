// SPDX-License-Identifier: BSL-1.0
//
// std::mdspan, or a class with its interface, such as the reference implementation for older standard libraries:
// numbers at constant strides. The strides of Eigen's objects.
#pragma once

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/entry/points.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule::batches {

template <class C>
concept multidimensional = requires(const C& c) {
    c.data_handle();
    c.extent(0);
    c.stride(0);
    C::rank();
};

/// The numbers, with their const. (std::mdspan returns a reference to the pointer.)
template <multidimensional C>
using span_element = std::remove_pointer_t<std::remove_cvref_t<decltype(std::declval<const C&>().data_handle())>>;

/// Checks that the accessor of a span only looks up, so that numbers may be read from memory in lanes.
template <multidimensional C>
consteval bool in_memory() {
    constexpr bool looked_up = [] {
        if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(std::declval<const C&>().data_handle())>>)
            return false;
        else if constexpr (requires { typename C::reference; })
            return std::is_same_v<typename C::reference, span_element<C>&>;
        else
            return true;
    }();
    static_assert(looked_up,
                  "columns: the accessor of a std::mdspan computes its numbers, which are thus not in memory; "
                  "copy them, or pass a std::mdspan with the default accessor");
    return true; // one message is enough
}

/// 1 for columns, 2 for matrices.
template <class C>
inline constexpr std::size_t rank_of = 1;
template <multidimensional C>
inline constexpr std::size_t rank_of<C> = C::rank();
template <detail::eigen_array C>
inline constexpr std::size_t rank_of<C> = C::IsVectorAtCompileTime ? 1 : 2;

/// Whether the type of an object of Eigen says that its numbers follow one another, column by column.
template <detail::eigen_array C>
inline constexpr bool is_contiguous_column =
    int{C::InnerStrideAtCompileTime} == 1 &&
    (bool{C::IsVectorAtCompileTime} || (!bool{C::IsRowMajor} && std::is_same_v<C, typename C::PlainObject>));
/// How far apart the numbers of an object of Eigen are that is one column.
template <detail::eigen_array C>
[[nodiscard]] constexpr std::ptrdiff_t distance_of_numbers(const char* call, const C& column) {
    if constexpr (C::IsVectorAtCompileTime) {
        return static_cast<std::ptrdiff_t>(column.innerStride());
    } else {
        const auto down = static_cast<std::ptrdiff_t>(column.rowStride());
        const auto across = static_cast<std::ptrdiff_t>(column.colStride());
        if (column.rows() == 1) return across;
        if (column.cols() > 1 && across != static_cast<std::ptrdiff_t>(column.rows()) * down)
            core::raise(bad_data() << call
                                   << ": a column is a matrix of Eigen whose numbers, column by column, are not "
                                      "the same distance apart; pass a column or a row of it, or a vector with "
                                      "its numbers");
        return down;
    }
}

} // namespace chainrule::batches
