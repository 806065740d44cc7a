// SPDX-License-Identifier: BSL-1.0
//
// The outputs of a kernel, written directly into the result: each class here maps the index of an output to its
// destination. The compiler folds this because the indices are constants.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/core/lanes.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/differentiate/modes.hpp>
#include <chainrule/codegen/finished_program.hpp>
#include <chainrule/kernel/step.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace chainrule::detail {

/// Where derivatives begin among the outputs, for so many expressions and variables.
[[nodiscard]] consteval std::size_t begin_of(unsigned derivatives, unsigned request, std::size_t rows,
                                             std::size_t columns) {
    return static_cast<std::size_t>(
        differentiate::first_output(derivatives, request, static_cast<int>(rows), static_cast<int>(columns)));
}

/// Values, then one row of derivatives.
template <class T, std::size_t Values, std::size_t Columns>
struct value_and_jacobian_outputs {
    enum : std::size_t { result_count = Values * (1 + Columns) };
    T* values;
    T* jacobian;
    CHAINRULE_STEP constexpr T& operator[](std::size_t k) const {
        constexpr std::size_t begin = begin_of(jacobians, request::values | jacobians, Values, Columns);
        return k < begin ? values[k] : jacobian[k - begin];
    }
    /// Where so many outputs from k on lie, if in order.
    CHAINRULE_STEP constexpr simd::stretch<T> in_order(std::size_t k, std::size_t count) const {
        constexpr std::size_t begin = begin_of(jacobians, request::values | jacobians, Values, Columns);
        if (k >= begin) return {jacobian + (k - begin)};
        return {values + k, k + count <= begin};
    }
};

/// A matrix row by row.
template <class T, std::size_t Rows, std::size_t Columns>
struct matrix_outputs {
    enum : std::size_t { result_count = Rows * Columns };
    std::array<T, Columns>* rows;
    CHAINRULE_STEP constexpr T& operator[](std::size_t k) const { return rows[k / Columns][k % Columns]; }
    CHAINRULE_STEP constexpr simd::stretch<T> in_order(std::size_t k, std::size_t count) const {
        return {&rows[k / Columns][k % Columns], k % Columns + count <= Columns};
    }
};

/// Fills the rows of a matrix with zeros. (Of a size that it knows, g++ would do so by one instruction, which takes
/// three times as long as the function of the C library.)
template <class T, std::size_t Columns>
CHAINRULE_STEP constexpr void fill_with_zeros(std::array<T, Columns>* first, std::array<T, Columns>* last) {
    if constexpr (std::is_floating_point_v<T>) {
        if (!__builtin_is_constant_evaluated()) {
            kernel::forget(last);
            __builtin_memset(first, 0, static_cast<std::size_t>(last - first) * sizeof *first);
            return;
        }
    }
    for (; first != last; ++first) *first = {};
}
/// The entries of a matrix that a sparsity pattern has, row by row.
template <class T, class Pattern>
struct entries_of_matrix {
    enum : std::size_t { result_count = Pattern::value.size() };
    static constexpr std::size_t columns = Pattern::value.column_count();
    std::array<T, columns>* rows;
    CHAINRULE_STEP constexpr T& operator[](std::size_t k) const {
        CHAINRULE_TABLE(row_of, Pattern::row_of);
        CHAINRULE_TABLE(column_of, Pattern::value.columns);
        return rows[row_of[k]][static_cast<std::size_t>(column_of[k])];
    }
};

/// Values, then a matrix row by row.
template <class T, std::size_t Values, std::size_t Columns, class Matrix = matrix_outputs<T, Values, Columns>>
struct values_and_matrix_outputs {
    enum : std::size_t { result_count = Values * (1 + Columns) };
    T* values;
    Matrix matrix;
    CHAINRULE_STEP constexpr T& operator[](std::size_t k) const {
        constexpr std::size_t begin = begin_of(jacobians, request::values | jacobians, Values, Columns);
        return k < begin ? values[k] : matrix[k - begin];
    }
    CHAINRULE_STEP constexpr simd::stretch<T> in_order(std::size_t k, std::size_t count) const
    requires requires { matrix.in_order(k, count); }
    {
        constexpr std::size_t begin = begin_of(jacobians, request::values | jacobians, Values, Columns);
        if (k >= begin) return matrix.in_order(k - begin, count);
        return {values + k, k + count <= begin};
    }
};

template <class T>
struct mirrored {
    T& entry;
    T& mirror;
    bool is_last_of_vector;
    bool is_written = true;
    CHAINRULE_STEP constexpr void operator=(const T& value) const {
        if (!is_written) return;
        entry = value;
        mirror = value;
        if (is_last_of_vector) CHAINRULE_STORED_ALONE(entry);
    }
};

/// The entries of a Hessian, outputs of a program from `First` on, that are zero for every input.
template <class Compiled, std::size_t First, std::size_t Size>
struct zeros_of_hessian {
    enum : std::size_t { entries = Size * Size };
    /// How many outputs they are.
    [[nodiscard]] static consteval int count_of_outputs() {
        int sum = 0;
        for (const bool zero : are_zero) sum += zero;
        return sum;
    }
    /// How many entries they are, in both halves.
    [[nodiscard]] static consteval std::size_t count() {
        std::size_t sum = 0, k = 0;
        for (const auto& [i, j] : differentiate::ascending_indices<2, Size>())
            if (are_zero[k++]) sum += i == j ? 1 : 2;
        return sum;
    }
    CHAINRULE_STEP static constexpr bool has(std::size_t k) {
        CHAINRULE_TABLE(zero, are_zero);
        return zero[k];
    }

private:
    static constexpr auto are_zero = codegen::zero_outputs<Size*(Size + 1) / 2>(Compiled::code(), First);
};

/// The upper triangle of a symmetric matrix, row by row, written to both halves, except `Zeros`, if stated.
template <class T, std::size_t Size, class... Zeros>
struct symmetric_outputs {
    enum : std::size_t { result_count = Size * Size };
    std::array<T, Size>* rows;

    CHAINRULE_STEP constexpr mirrored<T> operator[](std::size_t k) const {
        CHAINRULE_TABLE(indices, place);
        const auto [i, j] = indices[k];
        return {rows[i][j], rows[j][i], kernel::is_last_of_vector<T>(result_count, k), !(Zeros::has(k) || ...)};
    }
    template <class Compiled>
    using zeros = zeros_of_hessian<Compiled, 0, Size>;
    /// Fills the matrix with zeros, which the program does not write then.
    template <class Compiled>
    CHAINRULE_STEP constexpr symmetric_outputs<T, Size, zeros<Compiled>> filled_with_zeros() const {
        fill_with_zeros(rows, rows + Size);
        return {rows};
    }
    /// All entries, row by row.
    CHAINRULE_STEP T* entries() const { return rows->data(); }
    /// Where a program of the gradient writes what nobody reads.
    CHAINRULE_STEP static std::array<T, 1 + Size> value_and_gradient() { return {}; }

private:
    static constexpr auto place = differentiate::ascending_indices<2, Size>();
};

/// A value, a gradient, then the upper triangle of the Hessian.
template <class T, std::size_t Size, class... Zeros>
struct second_order_outputs {
    enum : std::size_t { result_count = 1 + Size + Size * Size };
    T& value;
    std::array<T, Size>& gradient;
    symmetric_outputs<T, Size, Zeros...> hessian;

    // One type for all entries: an entry without a mirror image is its own mirror image.
    CHAINRULE_STEP constexpr mirrored<T> operator[](std::size_t k) const {
        constexpr unsigned all = values | jacobians | hessians;
        constexpr std::size_t first = begin_of(jacobians, all, 1, Size), second = begin_of(hessians, all, 1, Size);
        if (k < first) return {value, value, false};
        if (k < second) {
            T& slope = gradient[k - first];
            return {slope, slope, kernel::is_last_of_vector<T>(result_count, k - first)};
        }
        return hessian[k - second];
    }
    template <class Compiled>
    using zeros = zeros_of_hessian<Compiled, begin_of(hessians, values | jacobians | hessians, 1, Size), Size>;
    template <class Compiled>
    CHAINRULE_STEP constexpr second_order_outputs<T, Size, zeros<Compiled>> filled_with_zeros() const {
        fill_with_zeros(hessian.rows, hessian.rows + Size);
        return {value, gradient, {hessian.rows}};
    }
    CHAINRULE_STEP T* entries() const { return hessian.entries(); }
    CHAINRULE_STEP value_and_jacobian_outputs<T, 1, Size> value_and_gradient() const {
        return {&value, gradient.data()};
    }
};

/// One number with several destinations.
template <class T, std::size_t Places>
struct repeated {
    T* to[Places];
    CHAINRULE_STEP constexpr void operator=(const T& value) const {
        for (T* place : to) *place = value;
    }
};

/// The derivatives by variables i <= j <= k, written to all permutations.
template <class T, std::size_t Size>
struct third_order_outputs {
    std::array<std::array<T, Size>, Size>* sheets;

    CHAINRULE_STEP constexpr repeated<T, 6> operator[](std::size_t n) const {
        CHAINRULE_TABLE(indices, place);
        const auto [i, j, k] = indices[n];
        return {{&sheets[i][j][k], &sheets[i][k][j], &sheets[j][i][k], &sheets[j][k][i], &sheets[k][i][j],
                 &sheets[k][j][i]}};
    }

private:
    static constexpr auto place = differentiate::ascending_indices<3, Size>();
};

/// The entries of a sparse symmetric matrix: each entry of the upper triangle is written to both its positions.
template <class T, class Pattern>
struct sparse_symmetric_outputs {
    enum : std::size_t { result_count = Pattern::entries };
    T* entries;
    CHAINRULE_STEP constexpr mirrored<T> operator[](std::size_t k) const {
        CHAINRULE_TABLE(places, Pattern::places);
        return {entries[places[k].entry], entries[places[k].mirror], kernel::is_last_of_vector<T>(result_count, k)};
    }
};

} // namespace chainrule::detail
