// SPDX-License-Identifier: BSL-1.0
//
// A fully connected layer of a static network: y = activation(x W + b), the derivative with respect to x, and the
// update of W and b. Each is one product; all else is applied to a tile of the result while it is in registers.
#pragma once

#include <chainrule/tensor/static_network/panels.hpp>

namespace chainrule::tensor::detail {

/// The identity.
struct no_activation {
    template <class Vector>
    [[gnu::always_inline]] static Vector of_lanes(const Vector& x) {
        return x;
    }
};

/// An update of the parameters from a place on.
template <class Update>
struct shifted_update {
    Update of_all;
    std::size_t start;

    [[gnu::always_inline]] void prepare(std::size_t at) const { of_all.prepare(start + at); }
    template <class Vector>
    [[gnu::always_inline]] void operator()(std::size_t at, const Vector& derivative) const {
        of_all(start + at, derivative);
    }
};

/// Calls F, inlined only if a call would cost a considerable part of the time: g++ 12 runs out of registers in large
/// functions.
template <auto F, class... Arguments>
[[gnu::noinline]] void call_out_of_line(Arguments... arguments) {
    F(arguments...);
}
template <bool Inlined, auto F, class... Arguments>
[[gnu::always_inline]] inline void call(const Arguments&... arguments) {
    if constexpr (Inlined)
        F(arguments...);
    else
        call_out_of_line<F>(arguments...);
}

/// The weights of a layer: In x Out in panels, followed by the biases, padded like a row.
template <class T, std::size_t In, std::size_t Out>
struct layer {
    using outputs = panels<T, Out>;
    using inputs = panels<T, In>;
    static constexpr std::size_t weights = In * outputs::padded, size = weights + outputs::padded;
    static constexpr bool is_small = size * sizeof(T) <= 4096;

    /// y = activation(x W + b) for a batch. An element is the sum of x(r, i) W(i, j) with ascending i, then b(j) is
    /// added.
    template <class Activation, class Inputs>
    [[gnu::always_inline]] static void forward(std::size_t batch, Inputs x, const T* parameters,
                                               paneled_rows<T, Out> y) {
        const auto panel_of =
            [&](std::size_t column, std::size_t first, auto across, auto)
                __attribute__((always_inline)) { return parameters + column * In + first * across() * outputs::lanes; };
        product_in_blocks(batch, x, y, panel_of,
                          [&](T* at, auto& sums, std::size_t, std::size_t column) __attribute__((always_inline)) {
                              kernels::store(at, Activation::of_lanes(sums + kernels::load<outputs::lanes>(
                                                                                 parameters + weights + column)));
                          });
    }

    /// The derivative with respect to the argument of the activation whose result is x. Overwrites `by_x`. `transposed`
    /// must have room for `scratch` numbers. An element is a sum over the outputs in ascending order.
    template <class Activation>
    [[gnu::always_inline]] static void backward(std::size_t batch, paneled_rows<T, Out> by_y, const T* parameters,
                                                paneled_rows<T, In> x, paneled_rows<T, In> by_x, T* transposed) {
        const auto panel_of = [&](std::size_t column, std::size_t first, auto across,
                                  auto used) __attribute__((always_inline)) {
            transpose_block<across() * inputs::lanes, used()>(parameters, column, first, transposed);
            return transposed;
        };
        product_in_blocks(batch, by_y, by_x, panel_of,
                          [&](T* at, auto& sums, std::size_t, std::size_t) __attribute__((always_inline)) {
                              kernels::store(at, Activation::pull_back(
                                                     sums, kernels::load<inputs::lanes>(x.data + (at - by_x.data))));
                          });
    }
    static constexpr std::size_t scratch = inputs::width * std::min(outputs::padded, outputs::block* outputs::width);

    /// Passes the derivatives with respect to weights and biases to update(place among the parameters of the layer,
    /// derivatives in a register). An element is a sum over the batch in ascending order.
    template <class Inputs, class Update>
    [[gnu::always_inline]] static void update(std::size_t batch, Inputs x, paneled_rows<T, Out> by_y, Update update) {
        outputs::each([&](std::size_t column, auto across, auto) __attribute__((always_inline)) {
            constexpr std::size_t w = across() * outputs::lanes;
            const T* panel = by_y.data + column * by_y.rows;
            x.each_columns([&](std::size_t i, auto rows, const T* a, std::size_t step) __attribute__((always_inline)) {
                kernels::product_tile<T, rows(), across(), outputs::lanes> tile;
                if constexpr (size * sizeof(T) > 16384) // smaller layers are in the first cache
                    for (std::size_t r = 0; r < rows(); ++r) update.prepare(column * In + (i + r) * w);
                tile.add(batch, a, 1, step, panel, w);
                tile.each([&](auto& sums, std::size_t r, std::size_t c)
                              __attribute__((always_inline)) { update(column * In + (i + r) * w + c, sums); });
            });
            kernels::product_tile<T, 1, across(), outputs::lanes> sums_of_columns;
            const T one = 1;
            sums_of_columns.add(batch, &one, 0, 0, panel, w);
            sums_of_columns.each([&](auto& sums, std::size_t, std::size_t c)
                                     __attribute__((always_inline)) { update(weights + column + c, sums); });
        });
    }

private:
    /// The rows times a matrix, whose panels for a block of the inner index panel_of(column, first inner index, ...)
    /// gives, in the order of the blocks, so that what is multiplied again and again stays in the first cache. Hands
    /// sums to finish(place, sums, row, column).
    template <class Rows, std::size_t Columns, class PanelOf, class Finish>
    [[gnu::always_inline]] static void product_in_blocks(std::size_t batch, const Rows& a,
                                                         paneled_rows<T, Columns> result, const PanelOf& panel_of,
                                                         const Finish& finish) {
        using layout = panels<T, Columns>;
        for (std::size_t block = 0; block < Rows::blocks; ++block) {
            const bool begins = block == 0, ends = block + 1 == Rows::blocks;
            layout::each([&](std::size_t column, auto across, auto used) __attribute__((always_inline)) {
                constexpr std::size_t w = across() * layout::lanes;
                const T* panel = panel_of(column, block * Rows::columns_of_block, across, used);
                kernels::parts_of_rows<kernels::tile_rows>(
                    batch, [&](std::size_t first, auto rows) __attribute__((always_inline)) {
                        kernels::product_tile<T, rows(), across(), layout::lanes> tile;
                        T* corner = result.data + column * result.rows + first * w;
                        if (!begins)
                            tile.each([&](auto& sums, std::size_t r, std::size_t c) __attribute__((always_inline)) {
                                sums = kernels::load<layout::lanes>(corner + r * w + c);
                            });
                        a.multiply(tile, block, first, panel, w);
                        tile.each([&](auto& sums, std::size_t r, std::size_t c) __attribute__((always_inline)) {
                            if (ends)
                                finish(corner + r * w + c, sums, first + r, column + c);
                            else
                                kernels::store(corner + r * w + c, sums);
                        });
                    });
            });
        }
    }

    /// Used rows of W from `row` on, a block of its columns from `first` on, as the columns of a matrix of that width.
    template <std::size_t Width, std::size_t Used>
    static void transpose_block(const T* parameters, std::size_t row, std::size_t first, T* to) {
        constexpr std::size_t side = std::min(inputs::lanes, outputs::lanes);
        const std::size_t end = std::min(outputs::padded, first + outputs::block * outputs::width);
        for (std::size_t column = first; column < end; column += side) {
            const std::size_t panel = column / outputs::width;
            const std::size_t w = panel < outputs::whole ? outputs::width : outputs::last_width;
            const T* from = parameters + panel * outputs::width * In + row * w + column % outputs::width;
            T* rows_to = to + (column - first) * Width;
            for (std::size_t i = 0; i < Width; i += side) {
                kernels::lanes<T, side> square[side]{};
                kernels::unrolled<side>([&](auto r) __attribute__((always_inline)) {
                    if (i + r() < Used) square[r()] = kernels::load<side>(from + (i + r()) * w);
                });
                kernels::transpose(square);
                kernels::unrolled<side>([&](auto r) __attribute__((always_inline)) {
                    kernels::store(rows_to + r() * Width + i, square[r()]);
                });
            }
        }
    }
};

} // namespace chainrule::tensor::detail
