// SPDX-License-Identifier: BSL-1.0
//
// Tables of the numbers of many points: columns(xs, ys), one range per variable, or rows(points, 2), one point after
// the other, or a matrix of either. The same describes where results are to be written.
#pragma once

#include <chainrule/batch/data/columns.hpp>
#include <chainrule/entry/evaluate.hpp>

namespace chainrule {

namespace batches {

/// Numbers of points and variables, each a constant number of elements apart. Those of a temporary range last as long
/// as one call.
template <class T, layout Layout, bool Temporary = false>
struct table_view {
    using number = T;
    static constexpr bool of_temporary = Temporary;
    T* first;
    std::size_t points;
    std::size_t variables; // 0 for as many as are requested, up to the stride
    std::ptrdiff_t point_stride;
    std::ptrdiff_t variable_stride;
    std::size_t size = static_cast<std::size_t>(-1); // of the range, if it is known: its last row may be too short
};
template <class C>
inline constexpr bool is_table_view = false;
template <class T, layout Layout, bool Temporary>
inline constexpr bool is_table_view<table_view<T, Layout, Temporary>> = true;
/// Whether an argument of this type is a temporary range that owns its numbers.
template <class Range>
inline constexpr bool is_temporary = !std::is_lvalue_reference_v<Range> && owns_numbers<std::remove_cvref_t<Range>>();

// A matrix, with its points in its rows.
template <bool Temporary = false, class M>
[[nodiscard]] constexpr auto table_of_matrix(M& matrix) {
    using plain = std::remove_const_t<M>;
    if constexpr (detail::eigen_array<plain>) {
        using T = std::remove_pointer_t<decltype(matrix.data())>;
        constexpr bool contiguous = plain::InnerStrideAtCompileTime == 1 && !plain::IsRowMajor;
        return table_view<T, contiguous ? layout::contiguous : layout::strided, Temporary>{
            matrix.data(), static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()),
            static_cast<std::ptrdiff_t>(matrix.rowStride()), static_cast<std::ptrdiff_t>(matrix.colStride())};
    } else {
        static_assert(in_memory<plain>());
        using T = span_element<plain>;
        return table_view<T, layout::strided, Temporary>{
            matrix.data_handle(), static_cast<std::size_t>(matrix.extent(0)),
            static_cast<std::size_t>(matrix.extent(1)), static_cast<std::ptrdiff_t>(matrix.stride(0)),
            static_cast<std::ptrdiff_t>(matrix.stride(1))};
    }
}

} // namespace batches

/// One range per variable, in the order of wrt(...): std::vector, std::array, std::span, an Eigen vector, a
/// std::mdspan, column(pointer, n, stride), or a number for all points. By name, columns(x = xs, k = 0.5), in
/// any order, also of parameters. Of one matrix of Eigen or std::mdspan, its columns: its rows are the points. The
/// ranges must live until the results are computed.
template <class... C>
requires(sizeof...(C) > 0)
[[nodiscard]] constexpr auto columns(C&&... ranges) {
    constexpr std::size_t names = core::sum_of({std::size_t{detail::is_binding<std::remove_cvref_t<C>>}...});
    constexpr bool single = !core::any_true({detail::is_vector_binding<std::remove_cvref_t<C>>...});
    static_assert(single, "columns: a vector of variables is given one range; name its elements, as in "
                          "columns(v[0_c] = xs, v[1_c] = ys), or pass all points as rows(points)");
    constexpr bool all_or_none = !single || names == 0 || names == sizeof...(C);
    static_assert(all_or_none, "columns: some columns have names and some have none; name all, as in "
                               "columns(x = xs, y = ys), or none");
    if constexpr (names == sizeof...(C))
        return batches::make_columns<core::type_list<typename std::remove_cvref_t<C>::variable...>>(
            batches::as_named_column(ranges)...);
    else if constexpr (sizeof...(C) == 1 && core::all_true({(batches::rank_of<std::remove_cvref_t<C>> == 2)...}))
        return (batches::table_of_matrix<batches::is_temporary<C>>(ranges), ...);
    else if constexpr (single && all_or_none)
        return batches::make_columns<void>(batches::as_column(ranges)...);
}

/// Points one after the other in a range of numbers, each `stride` numbers after the one before. A temporary range
/// lasts as long as the call that takes the rows.
template <class Range>
requires(!std::is_pointer_v<std::remove_cvref_t<Range>>)
[[nodiscard]] constexpr auto rows(Range&& numbers, std::size_t stride) {
    const auto all = batches::column_of(numbers);
    using T = std::remove_pointer_t<decltype(all.first)>;
    return batches::table_view<T, batches::layout::strided, batches::is_temporary<Range>>{
        all.first, stride == 0 ? all.size : (all.size + stride - 1) / stride, 0, static_cast<std::ptrdiff_t>(stride), 1,
        all.size};
}
/// `points` points in memory, each `stride` numbers after the one before.
template <class T>
[[nodiscard]] constexpr auto rows(T* first, std::size_t points, std::size_t stride) {
    return batches::table_view<T, batches::layout::strided>{first, points, 0, static_cast<std::ptrdiff_t>(stride), 1};
}
/// Points that are the rows of a matrix of Eigen or std::mdspan, or the elements of a range of std::arrays.
template <class Range>
[[nodiscard]] constexpr auto rows(Range&& points) {
    using plain = std::remove_cvref_t<Range>;
    if constexpr (batches::rank_of<plain> == 2) {
        return batches::table_of_matrix<batches::is_temporary<Range>>(points);
    } else {
        const auto all = batches::column_of(points);
        using row = std::remove_pointer_t<decltype(all.first)>;
        constexpr bool arrays = requires(row& r) {
            std::tuple_size<std::remove_const_t<row>>::value;
            r.data();
        };
        static_assert(arrays, "rows: the argument is a range of numbers; add how many numbers one point has, as in "
                              "rows(points, 2)");
        if constexpr (arrays) {
            using T = std::remove_pointer_t<decltype(all.first->data())>;
            constexpr std::size_t size = std::tuple_size<std::remove_const_t<row>>::value;
            return batches::table_view<T, batches::layout::strided, batches::is_temporary<Range>>{
                all.size == 0 ? nullptr : all.first->data(), all.size, size, sizeof(row) / sizeof(T), 1};
        }
    }
}

} // namespace chainrule
