// SPDX-License-Identifier: BSL-1.0
//
// A class with the part of the interface of std::mdspan that the library reads, for standard libraries without it; and
// std::mdspan itself where there is one.
#pragma once

#include <array>
#include <cstddef>
#if __has_include(<mdspan>)
#include <mdspan>
#endif

namespace spans {

template <class T, std::size_t Rank>
struct strided_span {
    using element_type = T;
    using reference = T&;
    T* first;
    std::array<std::size_t, Rank> extents, strides;
    static constexpr std::size_t rank() { return Rank; }
    T* const& data_handle() const { return first; }
    std::size_t extent(std::size_t d) const { return extents[d]; }
    std::size_t stride(std::size_t d) const { return strides[d]; }
};

/// Calls check with each kind of span of a table of n rows, `distance` numbers apart.
template <class T, class Check>
void for_each_matrix(T* first, std::size_t n, std::size_t columns, std::size_t distance, const Check& check) {
    check(strided_span<T, 2>{first, {n, columns}, {distance, 1}});
#if defined(__cpp_lib_mdspan)
    const std::array<std::size_t, 2> strides{distance, 1};
    using extents = std::dextents<std::size_t, 2>;
    check(
        std::mdspan<T, extents, std::layout_stride>(first, std::layout_stride::mapping(extents(n, columns), strides)));
#endif
}
/// The same of a column.
template <class T, class Check>
void for_each_column(T* first, std::size_t n, std::size_t distance, const Check& check) {
    check(strided_span<T, 1>{first, {n}, {distance}});
#if defined(__cpp_lib_mdspan)
    using extents = std::dextents<std::size_t, 1>;
    check(std::mdspan<T, extents, std::layout_stride>(
        first, std::layout_stride::mapping(extents(n), std::array<std::size_t, 1>{distance})));
#endif
}

} // namespace spans
