// SPDX-License-Identifier: BSL-1.0
//
// The layout of matrices in panels, so that products read memory sequentially: a panel has as many columns as a tile of
// a product, all its rows one after another. Columns are known at compile time, rows at run time. The last register is
// padded with zeros.
#pragma once

#include <chainrule/tensor/kernels/product_kernel.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace chainrule::tensor::detail {

/// The layout of a matrix with this number of columns.
template <class T, std::size_t Columns>
struct panels {
    static constexpr std::size_t lanes = Columns >= kernels::native_lanes<T>
                                             ? kernels::native_lanes<T>
                                             : std::bit_ceil(Columns < 16 / sizeof(T) ? 16 / sizeof(T) : Columns);
    static constexpr std::size_t width = (Columns > lanes ? 2 : 1) * lanes; // of every panel but the last
    static constexpr std::size_t whole = Columns / width, rest = Columns % width;
    static constexpr std::size_t count = whole + (rest != 0 ? 1 : 0);
    static constexpr std::size_t last_width = (rest + lanes - 1) / lanes * lanes;
    static constexpr std::size_t padded = whole * width + last_width; // elements a row takes

    /// The offset of an element in a matrix with this number of rows.
    static constexpr std::size_t offset(std::size_t rows, std::size_t row, std::size_t column) {
        const std::size_t panel = column / width;
        return panel * width * rows + row * (panel < whole ? width : last_width) + column % width;
    }
    /// Panels of a matrix whose columns are the inner index of a product that are multiplied at a time.
    static constexpr std::size_t block = std::max<std::size_t>(1, 16384 / (2 * kernels::register_bytes) / width);
    static constexpr std::size_t blocks = (Columns + block * width - 1) / (block * width);

    /// Calls f(first column, registers across as a constant, columns that are not padding as a constant) for each
    /// panel.
    template <class F>
    [[gnu::always_inline]] static void each(const F& f) {
        for (std::size_t p = 0; p < whole; ++p)
            f(p * width, std::integral_constant<std::size_t, width / lanes>{},
              std::integral_constant<std::size_t, width>{});
        if constexpr (rest != 0)
            f(whole * width, std::integral_constant<std::size_t, last_width / lanes>{},
              std::integral_constant<std::size_t, rest>{});
    }
};

/// Calls f(first row, number of rows as a constant) for parts of at most Most rows, as equal in size as can be.
template <std::size_t Most, std::size_t Rows, class F>
[[gnu::always_inline]] inline void balanced_rows_of(const F& f) {
    constexpr std::size_t parts = (Rows + Most - 1) / Most, least = Rows / parts, larger = Rows % parts;
    constexpr std::size_t of_larger = larger * (least + 1);
    if constexpr (larger != 0)
        for (std::size_t r = 0; r < of_larger; r += least + 1) f(r, std::integral_constant<std::size_t, least + 1>{});
    for (std::size_t r = of_larger; r < Rows; r += least) f(r, std::integral_constant<std::size_t, least>{});
}

/// A matrix of activations, or of derivatives with respect to them, in panels.
template <class T, std::size_t Columns>
struct paneled_rows {
    using layout = panels<T, Columns>;
    T* data;
    std::size_t rows;

    /// Adds a block of columns of some rows, from a first one, times the matrix whose rows begin at b.
    template <class Tile>
    [[gnu::always_inline]] void multiply(Tile& tile, std::size_t number, std::size_t first, const T* b,
                                         std::size_t b_row) const {
        constexpr std::size_t w = layout::width;
        if constexpr (layout::whole == 0) {
            tile.add(layout::rest, data + first * layout::last_width, layout::last_width, 1, b, b_row);
        } else {
            const std::size_t begin = number * layout::block, end = std::min(begin + layout::block, layout::count);
            for (std::size_t p = begin; p < end; ++p, b += w * b_row) {
                const bool is_whole = layout::rest == 0 || p < layout::whole;
                const std::size_t width = is_whole ? w : layout::last_width;
                tile.add(is_whole ? w : layout::rest, data + p * w * rows + first * width, width, 1, b, b_row);
            }
        }
    }
    static constexpr std::size_t blocks = layout::blocks, columns_of_block = layout::block * layout::width;
    /// Calls f(first column, their number as a constant, the first of them in row 0, distance of rows) for groups of
    /// columns.
    template <class F>
    [[gnu::always_inline]] void each_columns(const F& f) const {
        layout::each([&](std::size_t column, auto across, auto used) __attribute__((always_inline)) {
            balanced_rows_of<kernels::tile_rows, used()>([&](std::size_t i, auto count) __attribute__((always_inline)) {
                f(column + i, count, data + column * rows + i, across() * layout::lanes);
            });
        });
    }
};

/// A matrix of inputs in row-major order.
template <class T, std::size_t Columns>
struct plain_rows {
    const T* data;

    static constexpr std::size_t blocks = 1, columns_of_block = Columns;
    template <class Tile>
    [[gnu::always_inline]] void multiply(Tile& tile, std::size_t, std::size_t first, const T* b,
                                         std::size_t b_row) const {
        tile.add(Columns, data + first * Columns, Columns, 1, b, b_row);
    }
    template <class F>
    [[gnu::always_inline]] void each_columns(const F& f) const {
        balanced_rows_of<kernels::tile_rows, Columns>(
            [&](std::size_t i, auto count) __attribute__((always_inline)) { f(i, count, data + i, Columns); });
    }
};

} // namespace chainrule::tensor::detail
