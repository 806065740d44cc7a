// SPDX-License-Identifier: BSL-1.0
//
// The source of the data that a call binds to a variable, or to a vector of variables: which ranges, views and tables
// there are, and the checks of their sizes; and the data set of several. batch/over.hpp makes it.
#pragma once

#include <chainrule/batch/data/checks.hpp>
#include <chainrule/batch/data/owners.hpp>
#include <chainrule/batch/data/sources.hpp>
#include <chainrule/expression/operators.hpp>

#include <algorithm>
#include <cstdint>

namespace chainrule::batches {

/// Whether a type is a number that a column may hold.
template <class Element>
inline constexpr bool is_datum = std::is_arithmetic_v<Element> && !std::is_same_v<Element, long double>;

/// A view with the address of the first number, a count and a stride, as column() makes it.
template <class Range>
inline constexpr bool is_view = false;
template <class Range>
requires std::is_class_v<Range> && requires(const Range& view) {
    *view.first;
    view.size + view.stride;
}
inline constexpr bool is_view<Range> = true;
/// A view of rows, as rows(first, points, stride) makes it.
template <class Range>
inline constexpr bool is_view_of_rows = false;
template <class Range>
requires std::is_class_v<Range> && requires(const Range& view) {
    *view.first;
    view.points + view.variables;
    view.point_stride + view.variable_stride;
}
inline constexpr bool is_view_of_rows<Range> = true;
template <class Range>
inline constexpr bool is_table = false;
template <class Element>
inline constexpr bool is_table<table<Element>> = true;

/// The address of the first number of a range.
template <class Range>
[[nodiscard]] constexpr auto address_of(Range&& range) {
    if constexpr (std::is_array_v<std::remove_reference_t<Range>>)
        return &range[0];
    else
        return range.data();
}
template <class Range>
[[nodiscard]] constexpr std::size_t size_of(const Range& range) {
    if constexpr (std::is_array_v<Range>)
        return std::extent_v<Range>;
    else
        return static_cast<std::size_t>(range.size());
}

/// A range, or the range behind a reference.
template <class Range>
[[nodiscard]] constexpr const Range& referenced_range(const Range& range) {
    return range;
}
template <class Range>
[[nodiscard]] constexpr const Range& referenced_range(const expressions::range_reference<Range>& reference) {
    return *reference.range;
}
template <class Bound>
struct range_behind {
    using type = Bound;
};
template <class Range>
struct range_behind<expressions::range_reference<Range>> {
    using type = Range;
};

/// Checks that what x = value copied is a view.
template <class Bound>
consteval bool outlives_the_call() {
    constexpr bool named = !owns_numbers<Bound>();
    static_assert(named, "over: a column is a temporary, whose numbers are gone when the sum is computed; give it a "
                         "name before the call");
    return named;
}

/// Refuses a stride with which rows would overlap.
inline void check_stride(const char* name, std::ptrdiff_t stride, std::size_t least) {
    if ((stride < 0 ? -stride : stride) >= static_cast<std::ptrdiff_t>(least)) return;
    raise(bad_data() << "over: rows of " << name << " have " << least << " numbers, but a stride of "
                     << (stride < 0 ? "-" : "") << static_cast<std::size_t>(stride < 0 ? -stride : stride)
                     << "; pass the distance of neighbouring rows in numbers");
}

/// The source of one variable.
template <class Bound>
[[nodiscard]] constexpr auto source_of_column([[maybe_unused]] const char* name, const Bound& bound) {
    [[maybe_unused]] constexpr bool lives = outlives_the_call<Bound>(); // the sentence is inside
    using range = typename range_behind<Bound>::type;
    if constexpr (is_view<range>) {
        if (bound.size > 1) check_stride(name, bound.stride, 1);
        return strided<std::remove_cvref_t<decltype(*bound.first)>>{bound.first, bound.size, bound.stride};
    } else if constexpr (multidimensional<range>) {
        static_assert(in_memory<range>());
        static_assert(rank_of<range> == 1,
                      "over: a std::mdspan that is a column must have rank 1; bind one of rank 2 to "
                      "a vector of variables");
        const range& numbers = referenced_range(bound);
        const auto rows = static_cast<std::size_t>(numbers.extent(0));
        const auto stride = static_cast<std::ptrdiff_t>(numbers.stride(0));
        if (rows > 1) check_stride(name, stride, 1);
        return strided<std::remove_const_t<span_element<range>>>{numbers.data_handle(), rows, stride};
    } else if constexpr (detail::eigen_array<range>) {
        const range& numbers = referenced_range(bound);
        using number = typename range::Scalar;
        const auto rows = static_cast<std::size_t>(numbers.size());
        if constexpr (is_contiguous_column<range>)
            return contiguous<number>{numbers.data(), rows};
        else
            return strided<number>{numbers.data(), rows, distance_of_numbers("over", numbers)};
    } else {
        constexpr bool numbers = is_datum<element_in<range>>;
        static_assert(numbers,
                      "over: a column is not a range of numbers in memory; bind a std::vector, a std::span, an "
                      "array, an Eigen vector or column(first, size, stride), named before the call");
        if constexpr (numbers)
            return contiguous<element_in<range>>{address_of(referenced_range(bound)), size_of(referenced_range(bound))};
        else // a column, so that nothing but the sentence is wrong
            return contiguous<double>{nullptr, 0};
    }
}

/// Refuses a range of the wrong size for results.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_room(const char* call, const char* what, std::size_t room,
                                                               std::size_t needed) {
    raise(bad_data() << call << ": there are " << needed << " " << what << ", but room for " << room
                     << "; pass a range of as many");
}
inline void check_room(const char* call, const char* what, std::size_t room, std::size_t needed) {
    if (room != needed) refuse_room(call, what, room, needed);
}

/// The address of memory for results: numbers that follow one another, or a matrix of Eigen with so many columns that
/// is stored row by row.
template <class Range>
[[nodiscard]] constexpr auto address_for_results(const char* call, Range& to,
                                                 [[maybe_unused]] std::size_t columns = 1) {
    using range = std::remove_const_t<Range>;
    if constexpr (detail::eigen_array<range>) {
        const bool one_row = to.rows() == 1;
        const bool in_order = one_row          ? to.colStride() == 1
                              : to.cols() == 1 ? to.rowStride() == 1
                                               : to.colStride() == 1 && to.rowStride() == to.cols() &&
                                                     static_cast<std::size_t>(to.cols()) == columns;
        if (!in_order)
            raise(bad_data() << call
                             << ": the numbers of the matrix for the results are not in order in memory; pass a "
                                "vector, a std::span, or a matrix that is stored row by row");
    }
    return address_of(to);
}

/// Refuses a table with another count of columns than there are variables.
inline void check_columns(const char* name, std::size_t columns, std::size_t variables) {
    if (columns == variables) return;
    raise(bad_data() << "over: " << name << " and the variables after it are " << variables << ", but their table has "
                     << columns << " columns; bind as many");
}

// Whether rows of the range are arrays of that many numbers, as in std::vector<std::array<double, 8>>.
template <class Row, std::size_t Count>
inline constexpr bool is_row = false;
template <class Element, std::size_t Count>
inline constexpr bool is_row<std::array<Element, Count>, Count> = is_datum<Element>;
template <class Element, std::size_t Count>
inline constexpr bool is_row<Element[Count], Count> = is_datum<Element>;

/// The source of several variables.
template <std::size_t Count, class Bound>
[[nodiscard]] constexpr auto source_of_columns([[maybe_unused]] const char* name, const Bound& bound) {
    [[maybe_unused]] constexpr bool lives = outlives_the_call<Bound>(); // the sentence is inside
    using range = typename range_behind<Bound>::type;
    if constexpr (is_table<range>) {
        check_columns(name, bound.columns, Count);
        if (bound.rows > 1) check_stride(name, bound.stride, Count);
        return in_rows<std::remove_cvref_t<decltype(*bound.first)>, Count>{bound.first, bound.rows, bound.stride};
    } else if constexpr (detail::eigen_array<range>) {
        const range& m = referenced_range(bound);
        check_columns(name, static_cast<std::size_t>(m.cols()), Count);
        const auto rows = static_cast<std::size_t>(m.rows());
        if constexpr (bool{range::IsRowMajor} && int{range::InnerStrideAtCompileTime} == 1)
            return in_rows<typename range::Scalar, Count>{m.data(), rows, static_cast<std::ptrdiff_t>(m.outerStride())};
        else
            return by_columns<typename range::Scalar, Count>{
                m.data(), rows,
                static_cast<std::ptrdiff_t>(bool{range::IsRowMajor} ? m.outerStride() : m.innerStride()),
                static_cast<std::ptrdiff_t>(bool{range::IsRowMajor} ? m.innerStride() : m.outerStride())};
    } else if constexpr (multidimensional<range>) {
        static_assert(in_memory<range>());
        static_assert(rank_of<range> == 2, "over: a std::mdspan that is a matrix must have rank 2; bind one whose rows "
                                           "are those of the data");
        const range& m = referenced_range(bound);
        check_columns(name, static_cast<std::size_t>(m.extent(1)), Count);
        const auto down = static_cast<std::ptrdiff_t>(m.stride(0)), across = static_cast<std::ptrdiff_t>(m.stride(1));
        if (m.extent(0) > 1 && across == 1) check_stride(name, down, Count);
        return by_columns<std::remove_const_t<span_element<range>>, Count>{
            m.data_handle(), static_cast<std::size_t>(m.extent(0)), down, across};
    } else if constexpr (is_view_of_rows<range>) {
        if (bound.variables != 0) check_columns(name, bound.variables, Count);
        if (bound.points > 1 && bound.variable_stride == 1) check_stride(name, bound.point_stride, Count);
        if constexpr (requires { bound.size; })
            if (bound.variable_stride == 1) check_rows(bound.points, Count, bound.point_stride, bound.size);
        return by_columns<std::remove_cvref_t<decltype(*bound.first)>, Count>{
            bound.first, bound.points, bound.point_stride, bound.variable_stride};
    } else if constexpr (is_row<element_in<range>, Count>) {
        const range& rows = referenced_range(bound);
        using number = std::remove_cvref_t<decltype((*address_of(rows))[0])>;
        const std::size_t count = size_of(rows);
        return in_rows<number, Count, Count>{count == 0 ? nullptr : &(*address_of(rows))[0], count, Count};
    } else {
        constexpr bool columns = is_datum<element_in<element_in<range>>>;
        static_assert(columns, "over: a vector of variables is bound to neither rows nor columns; bind a range of "
                               "std::array rows, a range of columns, an Eigen matrix or table(first, rows, "
                               "columns), named before the call");
        if constexpr (columns) {
            const range& all = referenced_range(bound);
            check_columns(name, size_of(all), Count);
            apart<element_in<element_in<range>>, Count> source{{}, size_of(address_of(all)[0])};
            for (std::size_t j = 0; j < Count; ++j) {
                const auto& one = address_of(all)[j];
                if (size_of(one) != source.rows)
                    raise(bad_data() << "over: of the columns that " << name
                                     << " and those after it are bound to, number " << j << " has " << size_of(one)
                                     << " rows and number 0 has " << source.rows << "; pass columns of equal length");
                source.first[j] = address_of(one);
            }
            return source;
        }
    }
}

} // namespace chainrule::batches

namespace chainrule {

namespace batches {

/// A source and its place in a data set.
template <std::size_t Place, class Source>
struct placed {
    Source source;
};
template <class Indices, class... Source>
struct placed_sources;
template <std::size_t... I, class... Source>
struct placed_sources<std::index_sequence<I...>, Source...> : placed<I, Source>... {
    static constexpr std::size_t columns = core::sum_of({Source::columns..., std::size_t{0}});

    [[nodiscard]] std::size_t rows() const {
        const std::size_t of_each[] = {static_cast<const placed<I, Source>&>(*this).source.rows...};
        return of_each[0];
    }

    /// Whether some column has numbers between two addresses.
    [[nodiscard]] bool overlaps(std::uintptr_t begin, std::uintptr_t end) const {
        bool found = false;
        const auto compare = [&]<class Element>(const Element* first, const Element* last) {
            const auto a = reinterpret_cast<std::uintptr_t>(first), b = reinterpret_cast<std::uintptr_t>(last);
            found = found || (std::min(a, b) < end && begin < std::max(a, b) + sizeof(Element));
        };
        if (rows() > 0) (static_cast<const placed<I, Source>&>(*this).source.for_each_column(compare), ...);
        return found;
    }

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        [[maybe_unused]] const int loaded[] = {
            (static_cast<const placed<I, Source>&>(*this).source.load(to, row, count), to += Source::columns, 0)...};
    }
};

} // namespace batches

/// Columns of equal length and the variables that they give numbers: see over().
template <class Variables, class... Source>
struct data_set : batches::placed_sources<std::index_sequence_for<Source...>, Source...> {
    /// The variables, in the order of the columns.
    using variables = Variables;
    static constexpr bool rows_known = true;
    /// float where all fractional numbers are floats, else double.
    using number = std::conditional_t<batches::are_floats<typename Source::number...>, float, double>;
};

/// max(f, data) is not the greater of two operands.
template <class Variables, class... Source>
inline constexpr bool expressions::has_own_operators<data_set<Variables, Source...>> = true;

namespace batches {

/// Refuses to write results for single rows where the data are, which are read again or row by row.
template <class Data, class T>
void check_apart(const char* call, const Data& data, const T* to, std::size_t count) {
    const auto begin = reinterpret_cast<std::uintptr_t>(to);
    if (data.overlaps(begin, begin + count * sizeof(T)))
        raise(bad_data() << call << ": the results overlap the data; write them to memory of their own");
}

template <class T>
inline constexpr bool is_data = false;
template <class Variables, class... Source>
inline constexpr bool is_data<data_set<Variables, Source...>> = true;

} // namespace batches

} // namespace chainrule
