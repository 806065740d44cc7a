// SPDX-License-Identifier: BSL-1.0
//
// Where do the outputs of a kernel go? Straight into the result: each class here maps the number of an output to its
// place, which the compiler folds because the numbers are constants.
#pragma once

#include <array>
#include <cstddef>

namespace chainrule::kernel {

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

    // One type for all places: an entry that is not mirrored is its own mirror.
    [[gnu::always_inline]] constexpr mirrored<T> operator[](std::size_t k) const {
        if (k == 0) return {value, value};
        if (k <= Size) return {gradient[k - 1], gradient[k - 1]};
        return hessian[k - 1 - Size];
    }
};

} // namespace chainrule::kernel
