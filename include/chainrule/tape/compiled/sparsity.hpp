// SPDX-License-Identifier: BSL-1.0
//
// The places of the entries of sparse derivatives among the outputs of a program that derives all entries.
#pragma once

#include <chainrule/tape/sparse/sparsity.hpp>

#include <algorithm>
#include <vector>

namespace chainrule::tape::replays {

/// The patterns of a compiled recording. The places are those of a program's outputs: the values, the derivatives, then
/// what was read while recording; entries outside the pattern have none.
struct compiled_sparsity {
    sparsity_pattern jacobian, hessian;
    std::vector<int> jacobian_places, hessian_places;
    std::size_t upper_entries = 0;     // of the Hessian, which are the ones that its program has
    std::vector<std::size_t> entry_of; // among these, by the order of the pattern

    void find_jacobian(sparsity_pattern pattern, std::size_t readings) {
        jacobian = std::move(pattern);
        const std::size_t m = jacobian.row_count(), n = jacobian.column_count();
        std::vector<int> places(m * n, -1);
        int next = static_cast<int>(m);
        for (std::size_t i = 0; i < m; ++i)
            for (const int j : jacobian.row(i)) places[i * n + static_cast<std::size_t>(j)] = next++;
        jacobian_places = all_places(m, places, readings, next);
    }
    /// That of a function of one value, whose program has the gradient too.
    void find_hessian(sparsity_pattern pattern, std::size_t readings) {
        hessian = std::move(pattern);
        const std::size_t n = hessian.row_count();
        const auto upper = [n](std::size_t i, std::size_t j) { return i * n - i * (i + 1) / 2 + j; };
        std::vector<int> places(n * (n + 1) / 2, -1);
        int next = static_cast<int>(1 + n);
        for (std::size_t i = 0; i < n; ++i)
            for (const int column : hessian.row(i))
                if (const auto j = static_cast<std::size_t>(column); i <= j) places[upper(i, j)] = next++;
        upper_entries = static_cast<std::size_t>(next) - 1 - n;
        for (std::size_t i = 0; i < n; ++i)
            for (const int column : hessian.row(i)) {
                const auto j = static_cast<std::size_t>(column);
                entry_of.push_back(static_cast<std::size_t>(places[upper(std::min(i, j), std::max(i, j))]) - 1 - n);
            }
        hessian_places = all_places(1 + n, places, readings, next);
    }

private:
    [[nodiscard]] static std::vector<int> all_places(std::size_t before, const std::vector<int>& derivatives,
                                                     std::size_t readings, int next) {
        std::vector<int> all;
        all.reserve(before + derivatives.size() + readings);
        for (std::size_t i = 0; i < before; ++i) all.push_back(static_cast<int>(i));
        all.insert(all.end(), derivatives.begin(), derivatives.end());
        for (std::size_t i = 0; i < readings; ++i) all.push_back(next++);
        return all;
    }
};

} // namespace chainrule::tape::replays
