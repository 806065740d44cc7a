// SPDX-License-Identifier: BSL-1.0
//
// Small and fused matrix products. product() computes C = alpha op(A) op(B) + beta C for sizes known at run time,
// without allocating and, unless B is transposed, without packing. Static networks use its tiles too.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tensor/kernels/lanes.hpp>
#include <chainrule/tensor/kernels/wrapping.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace chainrule::tensor::kernels {

/// Whether product() uses an operand as it is stored, or transposed.
enum class operand : bool { as_is, transposed };

/// Rows of the largest tile: with two registers per row, as many sums as fit beside the operands.
inline constexpr std::size_t tile_rows = register_bytes == 64 ? 12 : 6;

/// Calls f(first row, number of rows as a constant) for parts of the rows: of Most rows while there are so many, then
/// of powers of two, so that there are few sizes to compile.
template <std::size_t Most, class F>
[[gnu::always_inline]] inline void parts_of_rows(std::size_t rows, const F& f) {
    constexpr std::size_t power = std::bit_floor(Most), next = power == Most ? Most / 2 : power;
    std::size_t r = 0;
    for (; rows - r >= Most && (power == Most || rows - r != 2 * power); r += Most)
        f(r, std::integral_constant<std::size_t, Most>{});
    if constexpr (next > 0)
        if (r != rows)
            parts_of_rows<next>(rows - r, [&](std::size_t first, auto size)
                                              __attribute__((always_inline)) { f(r + first, size); });
}

/// The sums of Rows x (Vectors * Lanes) elements of a product, held in registers.
template <class T, std::size_t Rows, std::size_t Vectors, std::size_t Lanes = native_lanes<T>>
struct product_tile {
    using vector = lanes<T, Lanes>;

    vector sums[Rows][Vectors]{};

    /// Calls f(sums in a register, row, first column).
    template <class F>
    [[gnu::always_inline]] void each(const F& f) {
        [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
            (f(sums[I / Vectors][I % Vectors], I / Vectors, I % Vectors * Lanes), ...);
        }(std::make_index_sequence<Rows * Vectors>{});
    }

    /// Adds a(r, p) b(p, column) for p = 0, ..., k - 1 in this order, where a(r, p) is a[r * a_row + p * a_step] and
    /// row p of B begins at b[p * b_row].
    [[gnu::always_inline]] void add(std::size_t k, const T* a, std::size_t a_row, std::size_t a_step, const T* b,
                                    std::size_t b_row) {
        product_tile t = *this; // a copy whose address nobody has stays in registers
        for (; k >= 4; k -= 4, a += 4 * a_step, b += 4 * b_row) {
            t.add_one(a, a_row, b, every_row, every_vector);
            t.add_one(a + a_step, a_row, b + b_row, every_row, every_vector);
            t.add_one(a + 2 * a_step, a_row, b + 2 * b_row, every_row, every_vector);
            t.add_one(a + 3 * a_step, a_row, b + 3 * b_row, every_row, every_vector);
        }
        for (; k != 0; --k, a += a_step, b += b_row) t.add_one(a, a_row, b, every_row, every_vector);
        *this = t;
    }

private:
    static constexpr std::make_index_sequence<Rows> every_row{};
    static constexpr std::make_index_sequence<Vectors> every_vector{};

    // Written out by packs: loops over the arrays would leave them in memory where the optimiser is late to unroll.
    template <std::size_t... R, std::size_t... V>
    [[gnu::always_inline]] void add_one(const T* a, std::size_t a_row, const T* b, std::index_sequence<R...>,
                                        std::index_sequence<V...> vectors) {
        vector row[Vectors] = {load<Lanes>(b + V * Lanes)...};
        (keep_in_register(row[V]), ...);
        (add_to_row(sums[R], broadcast<Lanes>(a[R * a_row]), row, vectors), ...);
    }
    template <std::size_t... V>
    [[gnu::always_inline]] static void add_to_row(vector (&sum)[Vectors], vector x, const vector (&row)[Vectors],
                                                  std::index_sequence<V...>) {
        keep_in_register(x);
        ((sum[V] += x * row[V], keep_in_register(sum[V])), ...);
    }
};

/// Products of a kind of number; product() is what to call.
template <class T>
struct product_of {
    static constexpr std::size_t depth = 256; // rows of B that are packed at a time

    std::size_t m, n, k;
    T alpha;
    const T* a;
    std::size_t a_row, a_step;
    const T* b;
    std::size_t b_row;
    T beta;
    T* c;
    std::size_t c_row;

    [[gnu::always_inline]] void finish(T& element, T sum) const {
        element = static_cast<T>(beta == T(0) ? alpha * sum : alpha * sum + beta * element);
    }

    /// The product without elements, or without inner ones: matrices may be null.
    void empty_sums() const {
        for (std::size_t r = 0; r < m; ++r)
            for (std::size_t column = 0; column < n; ++column) finish(c[r * c_row + column], T(0));
    }

    /// A strip of C: all rows of a few columns.
    template <std::size_t Vectors, std::size_t Lanes>
    void strip(const T* b_strip, std::size_t b_strip_row, T* c_strip) const {
        constexpr std::size_t most = Lanes == native_lanes<T> ? tile_rows : std::min<std::size_t>(tile_rows, 4);
        parts_of_rows<most>(m, [&](std::size_t first, auto rows) __attribute__((always_inline)) {
            product_tile<T, rows(), Vectors, Lanes> tile;
            tile.add(k, a + first * a_row, a_row, a_step, b_strip, b_strip_row);
            T* corner = c_strip + first * c_row;
            if (beta == T(0))
                tile.each([&](auto& sums, std::size_t r, std::size_t column)
                              __attribute__((always_inline)) { store(corner + r * c_row + column, alpha * sums); });
            else
                tile.each([&](auto& sums, std::size_t r, std::size_t column) __attribute__((always_inline)) {
                    T* at = corner + r * c_row + column;
                    store(at, alpha * sums + beta * load<Lanes>(at));
                });
        });
    }

    /// Strips of two registers, then of one, a half, a quarter, ...: nothing is read or written beside the matrices.
    template <std::size_t Vectors, std::size_t Lanes, class Strip>
    void strips(std::size_t column, const Strip& each) const {
        constexpr std::size_t width = Vectors * Lanes;
        for (; n - column >= width; column += width) each.template operator()<Vectors, Lanes>(column);
        if (column == n) return;
        if constexpr (Vectors == 2)
            strips<1, Lanes>(column, each);
        else if constexpr (Lanes > 1)
            strips<1, Lanes / 2>(column, each);
    }

    /// The columns that fill registers; the rest is packed in wider rows, unless there are too few rows of A for that.
    [[nodiscard]] std::size_t columns_in_strips() const { return m < 4 ? n : n - n % native_lanes<T>; }

    /// The columns from one on, fewer than a register has lanes; b_at(p, column) is an element of op(B).
    template <class Element>
    void last_columns(std::size_t column, const Element& b_at) const {
        constexpr std::size_t lanes = native_lanes<T>;
        if (n - column > lanes / 2)
            padded<lanes>(column, b_at);
        else if (n - column > lanes / 4)
            padded<std::max<std::size_t>(lanes / 2, 1)>(column, b_at);
        else if (n != column)
            padded<std::max<std::size_t>(lanes / 4, 1)>(column, b_at);
    }
    template <std::size_t Lanes, class Element>
    void padded(std::size_t column, const Element& b_at) const {
        const std::size_t width = n - column;
        T packed[depth * Lanes];
        bool is_packed = false;
        parts_of_rows<tile_rows>(m, [&](std::size_t first, auto rows) __attribute__((always_inline)) {
            product_tile<T, rows(), 1, Lanes> tile;
            for (std::size_t done = 0; done < k; done += depth) {
                const std::size_t rows_of_part = std::min(depth, k - done);
                for (std::size_t p = 0; !is_packed && p < rows_of_part; ++p)
                    for (std::size_t j = 0; j < Lanes; ++j)
                        packed[p * Lanes + j] = j < width ? b_at(done + p, column + j) : T(0);
                is_packed = k <= depth;
                tile.add(rows_of_part, a + first * a_row + done * a_step, a_row, a_step, packed, Lanes);
            }
            tile.each([&](auto& sums, std::size_t r, std::size_t) __attribute__((always_inline)) {
                T all[Lanes];
                store(all, sums);
                T* const to = c + (first + r) * c_row + column;
                for (std::size_t j = 0; j < width; ++j) finish(to[j], all[j]);
            });
        });
    }

    void rows_of_b() const {
        product_of whole = *this;
        whole.n = columns_in_strips();
        whole.template strips<2, native_lanes<T>>(0, [&]<std::size_t Vectors, std::size_t Lanes>(std::size_t column) {
            strip<Vectors, Lanes>(b + column, b_row, c + column);
        });
        last_columns(whole.n, [&](std::size_t p, std::size_t column) { return b[p * b_row + column]; });
    }

    void columns_of_b() const {
        last_columns(columns_in_strips(), [&](std::size_t p, std::size_t column) { return b[column * b_row + p]; });
        product_of part = *this;
        part.n = columns_in_strips();
        for (std::size_t done = 0; done < k; done += depth) {
            part.k = std::min(depth, k - done);
            part.a = a + done * a_step;
            part.template strips<2, native_lanes<T>>(
                0, [&]<std::size_t Vectors, std::size_t Lanes>(std::size_t column) {
                    constexpr std::size_t width = Vectors * Lanes;
                    T packed[depth * width];
                    for (std::size_t j = 0; j < width; ++j)
                        for (std::size_t p = 0; p < part.k; ++p)
                            packed[p * width + j] = b[(column + j) * b_row + done + p];
                    part.template strip<Vectors, Lanes>(packed, width, c + column);
                });
            part.beta = T(1);
        }
    }

    /// Inner products of rows of A with rows of B, both side by side in memory: for few rows, where packing does not
    /// pay, or few columns.
    void inner_products() const {
        constexpr std::size_t width = native_lanes<T>;
        const std::size_t whole = k - k % width;
        for (std::size_t r = 0; r < m; ++r)
            parts_of_rows<4>(n, [&](std::size_t first, auto columns) __attribute__((always_inline)) {
                const T *x = a + r * a_row, *y = b + first * b_row;
                lanes<T> sums[columns()]{};
                for (std::size_t p = 0; p < whole; p += width) {
                    const lanes<T> of_x = load<width>(x + p);
                    unrolled<columns()>([&](auto j) __attribute__((always_inline)) {
                        sums[j] += of_x * load<width>(y + j() * b_row + p);
                    });
                }
                unrolled<columns()>([&](auto j) __attribute__((always_inline)) {
                    T sum = sum_of_lanes<width, T>(sums[j]);
                    for (std::size_t p = whole; p < k; ++p) sum = plus_product(sum, x[p], y[j() * b_row + p]);
                    finish(c[r * c_row + first + j()], sum);
                });
            });
    }
};

/// C = alpha op(A) op(B) + beta C for matrices in row-major order: op(A) is m x k, op(B) is k x n, C is m x n. `a_row`,
/// `b_row` and `c_row` are the distances between the rows of A, B and C as they are stored, in elements. For beta = 0
/// what C holds is not looked at. C must not overlap A or B. Nothing is allocated, nothing is thrown.
///
/// Which is fast: A in either form at any size up to the caches, B as it is; a transposed B is packed in pieces, or,
/// for at most four rows or columns and an A as it is, read in place. Columns that fill no register are packed. For
/// large matrices a library that packs A as well is faster.
///
/// Order of summation: each element is one sum that begins with 0 and takes the products with ascending inner index;
/// then alpha times it plus beta C. With a transposed B this happens for every 256 products, except in columns that
/// fill no register, or, for at most four rows or columns, lane by lane of a vector register. So results depend on the
/// kind of processor that is compiled for and on the sizes, and never on anything else.
///
/// Example: `product(operand::transposed, operand::as_is, 2, 3, 5, 1.0f, x, 2, y, 3, 0.0f, xty, 3);  // X^T Y, X is 5 x
/// 2, Y 5 x 3`
template <class T>
void product(operand op_a, operand op_b, std::size_t m, std::size_t n, std::size_t k, std::type_identity_t<T> alpha,
             const T* a, std::size_t a_row, const T* b, std::size_t b_row, std::type_identity_t<T> beta, T* c,
             std::size_t c_row) {
    if (n == 1 && op_b == operand::transposed) { // a column, stored as a row
        op_b = operand::as_is;
        b_row = 1;
    }
    product_of<T> p{m, n, k, alpha, a, a_row, 1, b, b_row, beta, c, c_row};
    if (m == 0 || n == 0 || k == 0) return p.empty_sums();
    if (op_a == operand::transposed) std::swap(p.a_row, p.a_step);
    if (n == 1 && op_b == operand::as_is) {
        if (p.a_step == 1 && (b_row == 1 || k == 1)) { // A times a vector: inner products of its rows
            p.inner_products();
            return;
        }
        if (p.a_row == 1 && c_row == 1) { // a vector times the stored A
            product_of<T>{1, m, k, alpha, b, 0, b_row, a, p.a_step, beta, c, m}.rows_of_b();
            return;
        }
    }
    if (op_b == operand::as_is)
        p.rows_of_b();
    else if (p.a_step == 1 && (m <= 4 || n <= 4))
        p.inner_products();
    else
        p.columns_of_b();
}

} // namespace chainrule::tensor::kernels

namespace chainrule::tensor {

using kernels::operand;
using kernels::product;

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
