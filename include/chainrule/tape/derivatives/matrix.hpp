// SPDX-License-Identifier: BSL-1.0
//
// A dense matrix of derivatives, whose elements are checked for their bounds.
#pragma once

#include <chainrule/core/large_memory.hpp>
#include <chainrule/core/raise.hpp>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace chainrule::tape {

/// A matrix, row by row. Throws std::out_of_range for an element or a row that is not there, and std::length_error if
/// its elements cannot be counted.
template <class T>
class matrix {
public:
    matrix() = default;
    matrix(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), entries_(count(rows, columns), T{}) {}
    /// A matrix whose elements have no values yet, if T is a built-in type: for functions that write them all.
    [[nodiscard]] static matrix to_be_written(std::size_t rows, std::size_t columns) {
        matrix result;
        result.entries_ = list(count(rows, columns));
        result.rows_ = rows;
        result.columns_ = columns;
        return result;
    }
    matrix(const matrix&) = default;
    matrix& operator=(const matrix&) = default;
    /// A moved-from matrix has no elements.
    matrix(matrix&& other) noexcept
        : rows_(std::exchange(other.rows_, 0)), columns_(std::exchange(other.columns_, 0)),
          entries_(std::move(other.entries_)) {}
    matrix& operator=(matrix&& other) noexcept {
        matrix moved(std::move(other));
        std::swap(rows_, moved.rows_);
        std::swap(columns_, moved.columns_);
        entries_.swap(moved.entries_);
        return *this;
    }
    ~matrix() = default;

    /// The number of rows.
    [[nodiscard]] std::size_t rows() const { return rows_; }
    /// The number of columns.
    [[nodiscard]] std::size_t columns() const { return columns_; }
    /// An element, counted from 0.
    [[nodiscard]] T& operator()(std::size_t row, std::size_t column) { return entries_[place(row, column)]; }
    [[nodiscard]] const T& operator()(std::size_t row, std::size_t column) const {
        return entries_[place(row, column)];
    }
    /// A row, counted from 0; valid as long as the matrix.
    [[nodiscard]] std::span<const T> row(std::size_t number) const {
        if (number >= rows_)
            core::raise(std::out_of_range("row: there is no row " + given(number) + " in a matrix of " +
                                          std::to_string(rows_) + " rows; they are numbered from 0"));
        return {entries_.data() + number * columns_, columns_};
    }
    /// All elements, row by row.
    [[nodiscard]] T* data() { return entries_.data(); }
    [[nodiscard]] const T* data() const { return entries_.data(); }

private:
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    // Without values where none are given: zeros for millions take as long as their derivatives.
    using list = std::vector<T, core::large_allocator<T>>;
    list entries_;

    [[nodiscard]] static std::size_t count(std::size_t rows, std::size_t columns) {
        std::size_t product;
        if (__builtin_mul_overflow(rows, columns, &product))
            core::raise(std::length_error("matrix: " + std::to_string(rows) + " x " + std::to_string(columns) +
                                          " elements are more than there can be; give smaller sizes"));
        return product;
    }
    [[nodiscard]] std::size_t place(std::size_t row, std::size_t column) const {
        if (row >= rows_ || column >= columns_) [[unlikely]]
            report_outside(row, column);
        return row * columns_ + column;
    }
    [[noreturn, gnu::noinline]] void report_outside(std::size_t row, std::size_t column) const {
        core::raise(std::out_of_range("matrix: there is no element (" + given(row) + ", " + given(column) +
                                      ") in a matrix of " + std::to_string(rows_) + " x " + std::to_string(columns_) +
                                      "; rows and columns are numbered from 0"));
    }
    // An index of -1 arrives as 2^64 - 1.
    static std::string given(std::size_t number) { return std::to_string(static_cast<std::ptrdiff_t>(number)); }
};

} // namespace chainrule::tape
