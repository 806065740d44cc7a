// SPDX-License-Identifier: BSL-1.0
//
// A sparse matrix of derivatives: its pattern and the entries in it.
#pragma once

#include <chainrule/tape/sparse/colouring.hpp>

namespace chainrule::tape {

/// A sparse matrix in compressed sparse row format: the entries in the order of the pattern.
template <class T>
struct sparse_matrix {
    sparsity_pattern pattern;
    std::vector<T> entries;

    /// An element; zero if it is not in the pattern. Throws std::out_of_range for one that is not in the matrix.
    [[nodiscard]] T operator()(std::size_t row, std::size_t column) const {
        if (row >= pattern.row_count() || column >= pattern.column_count())
            core::raise(std::out_of_range(
                "sparse_matrix: there is no element (" + std::to_string(row) + ", " + std::to_string(column) +
                ") in a matrix of " + std::to_string(pattern.row_count()) + " x " +
                std::to_string(pattern.column_count()) + "; rows and columns are numbered from 0"));
        const auto in = pattern.row(row);
        const auto found = std::lower_bound(in.begin(), in.end(), static_cast<int>(column));
        if (found == in.end() || *found != static_cast<int>(column)) return T{};
        return entries[static_cast<std::size_t>(pattern.row_starts[row] + (found - in.begin()))];
    }
};

} // namespace chainrule::tape
