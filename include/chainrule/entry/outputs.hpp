// SPDX-License-Identifier: BSL-1.0
//
// The outputs of a kernel, written directly into the result: each class here maps the index of an output to its
// destination. The compiler folds this because the indices are constants.
#pragma once

#include <array>
#include <cstddef>

namespace chainrule::detail {

/// Values, then one row of derivatives.
template <class T, std::size_t Values, std::size_t Columns>
struct value_and_jacobian_outputs {
    T* values;
    T* jacobian;
    [[gnu::always_inline]] constexpr T& operator[](std::size_t k) const {
        return k < Values ? values[k] : jacobian[k - Values];
    }
};

/// A matrix row by row.
template <class T, std::size_t Columns>
struct matrix_outputs {
    std::array<T, Columns>* rows;
    [[gnu::always_inline]] constexpr T& operator[](std::size_t k) const { return rows[k / Columns][k % Columns]; }
};

/// Values, then a matrix row by row.
template <class T, std::size_t Values, std::size_t Columns>
struct values_and_matrix_outputs {
    T* values;
    matrix_outputs<T, Columns> matrix;
    [[gnu::always_inline]] constexpr T& operator[](std::size_t k) const {
        return k < Values ? values[k] : matrix[k - Values];
    }
};

template <class T>
struct mirrored {
    T& entry;
    T& mirror;
    [[gnu::always_inline]] constexpr void operator=(const T& value) const {
        entry = value;
        mirror = value;
    }
};

/// The upper triangle of a symmetric matrix, row by row, written to both halves.
template <class T, std::size_t Size>
struct symmetric_outputs {
    std::array<T, Size>* rows;

    [[gnu::always_inline]] constexpr mirrored<T> operator[](std::size_t k) const {
        return {rows[place[k].row][place[k].column], rows[place[k].column][place[k].row]};
    }

private:
    struct position {
        std::size_t row;
        std::size_t column;
    };
    static constexpr auto place = [] {
        std::array<position, Size*(Size + 1) / 2> p{};
        std::size_t next = 0;
        for (std::size_t i = 0; i < Size; ++i)
            for (std::size_t j = i; j < Size; ++j) p[next++] = {i, j};
        return p;
    }();
};

/// A value, a gradient, then the upper triangle of the Hessian.
template <class T, std::size_t Size>
struct second_order_outputs {
    T& value;
    std::array<T, Size>& gradient;
    symmetric_outputs<T, Size> hessian;

    // One type for all entries: an entry without a mirror image is its own mirror image.
    [[gnu::always_inline]] constexpr mirrored<T> operator[](std::size_t k) const {
        if (k == 0) return {value, value};
        if (k <= Size) return {gradient[k - 1], gradient[k - 1]};
        return hessian[k - 1 - Size];
    }
};

/// One number with several destinations.
template <class T, std::size_t Places>
struct repeated {
    T* to[Places];
    [[gnu::always_inline]] constexpr void operator=(const T& value) const {
        for (T* place : to) *place = value;
    }
};

/// The derivatives by variables i <= j <= k, written to all permutations.
template <class T, std::size_t Size>
struct third_order_outputs {
    std::array<std::array<T, Size>, Size>* sheets;

    [[gnu::always_inline]] constexpr repeated<T, 6> operator[](std::size_t n) const {
        const auto [i, j, k] = place[n];
        return {{&sheets[i][j][k], &sheets[i][k][j], &sheets[j][i][k], &sheets[j][k][i], &sheets[k][i][j],
                 &sheets[k][j][i]}};
    }

private:
    static constexpr auto place = [] {
        std::array<std::array<std::size_t, 3>, Size*(Size + 1) * (Size + 2) / 6> p{};
        std::size_t next = 0;
        for (std::size_t i = 0; i < Size; ++i)
            for (std::size_t j = i; j < Size; ++j)
                for (std::size_t k = j; k < Size; ++k) p[next++] = {i, j, k};
        return p;
    }();
};

/// The entries of a sparse symmetric matrix: each entry of the upper triangle is written to both its positions.
template <class T, class Pattern>
struct sparse_symmetric_outputs {
    T* entries;
    [[gnu::always_inline]] constexpr mirrored<T> operator[](std::size_t k) const {
        return {entries[Pattern::places[k].entry], entries[Pattern::places[k].mirror]};
    }
};

} // namespace chainrule::detail
