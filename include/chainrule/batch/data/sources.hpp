// SPDX-License-Identifier: BSL-1.0
//
// Sources of the numbers of a variable, or of a vector of variables: a column, the rows of a table, or several columns.
// A source loads the numbers of several rows into lanes by load(), and for_each_column() passes the addresses of the
// first and the last number of each column, if there is a row. batch/data/source_of_data.hpp chooses a source.
#pragma once

#include <chainrule/batch/data/bad_data.hpp>
#include <chainrule/batch/data/multidimensional.hpp>
#include <chainrule/batch/lanes/transpose.hpp>

#include <array>
#include <type_traits>
#include <utility>

namespace chainrule {

/// A table in memory, row by row: the address of its first number, the counts of rows and columns, and the distance of
/// neighbouring rows in numbers. Example: `cr::over(x = cr::table(features.data(), 10000, 8))`
template <class Element>
struct table {
    const Element* first;      ///< row 0, column 0
    std::size_t rows, columns; ///< their counts
    std::ptrdiff_t stride;     ///< from a number to that below it, counted in numbers
    constexpr table(const Element* from, std::size_t row_count, std::size_t column_count)
        : table(from, row_count, column_count, static_cast<std::ptrdiff_t>(column_count)) {}
    constexpr table(const Element* from, std::size_t row_count, std::size_t column_count, std::ptrdiff_t between_rows)
        : first(from), rows(row_count), columns(column_count), stride(between_rows) {}
};

namespace batches {

/// Whether the fractional numbers among columns of these types are floats, and there are some.
template <class... T>
inline constexpr bool are_floats = core::all_true({(std::is_same_v<T, float> || std::is_integral_v<T>)..., true}) &&
                                   core::any_true({std::is_same_v<T, float>..., false});

/// Several numbers, each `stride` behind the one before. Other number types are converted.
template <class L, class Element>
[[gnu::always_inline]] inline L load_strided(const Element* from, std::ptrdiff_t stride, std::size_t count) {
    using T = element<L>;
    constexpr std::size_t lanes = lane_count<L>;
    if constexpr (std::is_same_v<T, Element>)
        if (count == lanes) return gather<L>(from, stride);
    T each[lanes];
    for (std::size_t k = 0; k < lanes;
         ++k) // lanes without a row repeat the last: they raise no exceptions of their own
        each[k] = static_cast<T>(from[static_cast<std::ptrdiff_t>(k < count ? k : count - 1) * stride]);
    return load<L>(each);
}
template <class L, class Element>
[[gnu::always_inline]] inline L load_next(const Element* from, std::size_t count) {
    if constexpr (std::is_same_v<element<L>, Element>) {
        if (count == lane_count<L>) return load<L>(from);
        return load_first<L>(from, count, from[count - 1]);
    } else {
        return load_strided<L>(from, 1, count);
    }
}

/// Neighbouring numbers.
template <class Element>
struct contiguous {
    using number = Element;
    static constexpr std::size_t columns = 1;
    const Element* first;
    std::size_t rows;

    constexpr contiguous(const Element* from, std::size_t count) : first(from), rows(count) {}
    // g++ 12 copies the members of an aggregate through memory; a short sum would wait for them.
    constexpr contiguous(const contiguous& other) : first(other.first), rows(other.rows) {}

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        *to = load_next<L>(first + row, count);
    }
    template <class F>
    void for_each_column(F f) const {
        f(first, first + (rows - 1));
    }
};

/// Numbers at a distance.
template <class Element>
struct strided {
    using number = Element;
    static constexpr std::size_t columns = 1;
    const Element* first;
    std::size_t rows;
    std::ptrdiff_t stride;

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        *to = load_strided<L>(first + static_cast<std::ptrdiff_t>(row) * stride, stride, count);
    }
    template <class F>
    void for_each_column(F f) const {
        f(first, first + static_cast<std::ptrdiff_t>(rows - 1) * stride);
    }
};

/// Rows of `Columns` numbers, at a distance that the type may know.
template <class Element, std::size_t Columns, std::size_t Stride = 0>
struct in_rows {
    using number = Element;
    static constexpr std::size_t columns = Columns;
    const Element* first;
    std::size_t rows;
    std::ptrdiff_t stride;

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        const std::ptrdiff_t down = Stride != 0 ? static_cast<std::ptrdiff_t>(Stride) : stride;
        const Element* const at = first + static_cast<std::ptrdiff_t>(row) * down;
        if constexpr (std::is_same_v<element<L>, Element>)
            if (count == lane_count<L>) {
                load_rows<Columns>(to, at, down, first + static_cast<std::ptrdiff_t>(rows - 1) * down + Columns);
                return;
            }
        for (std::size_t j = 0; j < Columns; ++j) to[j] = load_strided<L>(at + j, down, count);
    }
    template <class F>
    void for_each_column(F f) const {
        for (std::size_t j = 0; j < Columns; ++j)
            f(first + j, first + j + static_cast<std::ptrdiff_t>(rows - 1) * stride);
    }
};

/// Rows of a matrix whose strides only the run knows.
template <class Element, std::size_t Columns>
struct by_columns {
    using number = Element;
    static constexpr std::size_t columns = Columns;
    const Element* first;
    std::size_t rows;
    std::ptrdiff_t stride, between_columns;

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        const Element* const at = first + static_cast<std::ptrdiff_t>(row) * stride;
        if constexpr (std::is_same_v<element<L>, Element>)
            if (between_columns == 1 && count == lane_count<L>) {
                load_rows<Columns>(to, at, stride, first + static_cast<std::ptrdiff_t>(rows - 1) * stride + Columns);
                return;
            }
        for (std::size_t j = 0; j < Columns; ++j)
            to[j] = stride == 1 ? load_next<L>(at + static_cast<std::ptrdiff_t>(j) * between_columns, count)
                                : load_strided<L>(at + static_cast<std::ptrdiff_t>(j) * between_columns, stride, count);
    }
    template <class F>
    void for_each_column(F f) const {
        const Element* at = first;
        for (std::size_t j = 0; j < Columns; ++j, at += between_columns)
            f(at, at + static_cast<std::ptrdiff_t>(rows - 1) * stride);
    }
};

/// Columns that lie apart.
template <class Element, std::size_t Columns>
struct apart {
    using number = Element;
    static constexpr std::size_t columns = Columns;
    std::array<const Element*, Columns> first;
    std::size_t rows;

    template <class L>
    [[gnu::always_inline]] void load(L* to, std::size_t row, std::size_t count) const {
        for (std::size_t j = 0; j < Columns; ++j) to[j] = load_next<L>(first[j] + row, count);
    }
    template <class F>
    void for_each_column(F f) const {
        for (const Element* at : first) f(at, at + (rows - 1));
    }
};

} // namespace batches
} // namespace chainrule
