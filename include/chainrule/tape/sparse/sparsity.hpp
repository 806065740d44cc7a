// SPDX-License-Identifier: BSL-1.0
//
// The dependence of the results of a recording on its inputs: the pattern of a Jacobian in compressed rows, found by
// sets of indices (tape/sparse/shared_sets.hpp) or of bits that are swept over the recording. tape/sparse/colouring.hpp
// goes on from a pattern.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/core/zero_after_move.hpp>
#include <chainrule/tape/recording/for_each_statement.hpp>
#include <chainrule/tape/recording/tape.hpp>
#include <chainrule/tape/sparse/shared_sets.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace chainrule::tape {

/// The pattern of a sparse matrix in compressed sparse row format, as cr::sparsity_pattern at compile time: the columns
/// of row i, ascending, are columns[k] for row_starts[i] <= k < row_starts[i + 1].
class sparsity_pattern {
public:
    std::vector<int> row_starts{0}; ///< one more than there are rows: the last one is size()
    std::vector<int> columns;       ///< counted from 0

    sparsity_pattern() = default;
    /// An empty pattern, to which add_row() adds the rows.
    explicit sparsity_pattern(std::size_t column_count) : column_count_(column_count) {}

    /// The number of rows. A moved-from pattern has no rows and no columns.
    [[nodiscard]] std::size_t row_count() const { return row_starts.empty() ? 0 : row_starts.size() - 1; }
    /// The number of columns.
    [[nodiscard]] std::size_t column_count() const { return column_count_; }
    /// The number of entries.
    [[nodiscard]] std::size_t size() const { return columns.size(); }
    /// The columns of a row. Throws std::out_of_range for a row that the matrix does not have.
    [[nodiscard]] std::span<const int> row(std::size_t number) const {
        check_place("row", number, row_count(), "rows");
        const auto first = static_cast<std::size_t>(row_starts[number]);
        return std::span(columns).subspan(first, static_cast<std::size_t>(row_starts[number + 1]) - first);
    }
    /// Whether there is an entry in a row and column. Throws std::out_of_range if the matrix does not have them.
    [[nodiscard]] bool contains(std::size_t row_number, std::size_t column) const {
        const auto in = row(row_number);
        check_place("column", column, column_count(), "columns");
        return std::binary_search(in.begin(), in.end(), static_cast<int>(column));
    }
    /// Adds a row with columns in any order, which it sorts. Throws std::length_error if entries cannot be counted, and
    /// std::invalid_argument for columns that the matrix does not have, or twice the same.
    void add_row(std::span<int> of) {
        std::sort(of.begin(), of.end());
        const bool inside = of.empty() || (of.front() >= 0 && static_cast<std::size_t>(of.back()) < column_count_);
        if (!inside || std::adjacent_find(of.begin(), of.end()) != of.end())
            core::raise(std::invalid_argument("sparsity_pattern: a row has a column below 0 or beyond " +
                                              std::to_string(column_count_) +
                                              " columns, or one twice; add each column of an entry once, from 0"));
        if (columns.size() + of.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            core::raise(std::length_error("sparsity_pattern: there are more than 2^31 - 1 entries; use fewer rows"));
        columns.insert(columns.end(), of.begin(), of.end());
        if (row_starts.empty()) row_starts.push_back(0); // those of a moved-from pattern
        row_starts.push_back(static_cast<int>(columns.size()));
    }
    /// The pattern of the transposed matrix.
    [[nodiscard]] sparsity_pattern transposed() const {
        sparsity_pattern result(row_count());
        result.row_starts.assign(column_count_ + 1, 0);
        for (const int j : columns) ++result.row_starts[static_cast<std::size_t>(j) + 1];
        for (std::size_t j = 0; j < column_count_; ++j) result.row_starts[j + 1] += result.row_starts[j];
        result.columns.resize(size());
        std::vector<int> next(result.row_starts.begin(), result.row_starts.end() - 1);
        for (std::size_t i = 0; i < row_count(); ++i)
            for (const int j : row(i))
                result.columns[static_cast<std::size_t>(next[static_cast<std::size_t>(j)]++)] = static_cast<int>(i);
        return result;
    }

    /// The smallest symmetric pattern that contains this one. Throws std::invalid_argument unless the matrix is square.
    [[nodiscard]] sparsity_pattern made_symmetric() const {
        if (row_count() != column_count())
            core::raise(std::invalid_argument("sparsity_pattern: a matrix of " + std::to_string(row_count()) + " x " +
                                              std::to_string(column_count()) +
                                              " has no symmetric pattern; take that of a square matrix"));
        sparsity_pattern other = transposed();
        if (other == *this) return other;
        sparsity_pattern both(column_count_);
        for (std::size_t i = 0; i < row_count(); ++i) {
            std::vector<int> of_both;
            std::ranges::set_union(row(i), other.row(i), std::back_inserter(of_both));
            both.add_row(of_both);
        }
        return both;
    }

    friend bool operator==(const sparsity_pattern&, const sparsity_pattern&) = default;

private:
    core::zero_after_move<std::size_t> column_count_ = 0;

    static void check_place(const char* of, std::size_t number, std::size_t count, const char* all) {
        if (number >= count) [[unlikely]]
            report_place(of, number, count, all);
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void report_place(const char* of, std::size_t number,
                                                                    std::size_t count, const char* all) {
        core::raise(std::out_of_range("sparsity_pattern: there is no " + std::string(of) + ' ' +
                                      std::to_string(number) + " in a matrix of " + std::to_string(count) + ' ' + all +
                                      "; they are numbered from 0"));
    }
};

namespace sweeping {

// In what follows, a Recording is that of a tape, or has as much of its interface as is used here.

/// How many outputs are a result, and operands of results that an output depends on: 0 if no output depends on it.
template <class Recording>
[[nodiscard]] std::vector<index> uses(const Recording& from, std::span<const index> outputs) {
    constexpr index mark = Recording::last_operand;
    std::vector<index> result(std::size_t{from.next()} + 1);
    for (const index i : outputs) ++result[i];
    index at = from.next();
    bool used = false;
    for (std::size_t b = from.block_count(); b-- > 0;)
        for (std::size_t i = from.entries(b); i-- > 0;) {
            const index operand = from[b].operands()[i];
            if ((operand & mark) != 0) used = result[--at] != 0;
            if (used) ++result[operand & ~mark];
        }
    return result;
}

/// The set of inputs that each output depends on, by shared sets: a sum of n terms whose sets are small takes n log n
/// steps, although its partial sums have n^2 / 2 members. Sets are released after their last use. Returns false if that
/// takes more steps than allowed, or much memory.
template <class Recording>
[[nodiscard]] bool sets_of_indices(const Recording& from, std::span<const index> outputs, std::span<const index> inputs,
                                   std::size_t allowed, sparsity_pattern& found) {
    using set = shared_sets::set;
    constexpr index mark = Recording::last_operand;
    shared_sets sets;
    std::vector<index> left = sweeping::uses(from, outputs);
    std::vector<set> of(left.size());
    const auto add = [&](set& to, set more) {
        const set both = sets.unite(to, more);
        sets.release(to);
        to = both;
    };
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (left[inputs[k]] == 0) continue;
        const set itself = sets.single(k);
        add(of[inputs[k]], itself);
        sets.release(itself);
    }
    const std::size_t most = 16 * (from.operand_count() + inputs.size());
    const auto within_limits = [&] { return sets.steps() <= allowed && sets.size() <= most; };
    index result = from.first_of_statements();
    sweeping::for_each_statement(from, [&](std::span<const index> operands, const auto*) {
        const index at = result++;
        if (left[at] == 0 || !within_limits()) return;
        for (const index marked : operands) add(of[at], of[marked & ~mark]);
        for (const index marked : operands)
            if (const index operand = marked & ~mark; --left[operand] == 0) sets.release(std::exchange(of[operand], 0));
    });
    if (!within_limits()) return false;
    std::vector<int> row;
    for (const index i : outputs) {
        row.clear();
        sets.append_members(of[i], row);
        found.add_row(row);
    }
    return true;
}

/// The same by sets of bits, 512 inputs in one sweep.
inline constexpr std::size_t bits_in_sweep = 512;
template <class Recording>
void sets_of_bits(const Recording& from, std::span<const index> outputs, std::span<const index> inputs,
                  sparsity_pattern& found) {
    constexpr index mark = Recording::last_operand;
    constexpr std::size_t words = bits_in_sweep / 64;
    using set = std::array<std::uint64_t, words>;
    std::vector<set> bits(std::size_t{from.next()} + 1);
    const index first_of_statements = from.first_of_statements();
    std::vector<std::vector<int>> rows(outputs.size());
    for (std::size_t first = 0; first < inputs.size(); first += bits_in_sweep) {
        const std::size_t count = std::min(bits_in_sweep, inputs.size() - first);
        std::fill(bits.begin(), bits.end(), set{});
        for (std::size_t k = 0; k < count; ++k) bits[inputs[first + k]][k / 64] |= std::uint64_t{1} << k % 64;
        index result = first_of_statements;
        sweeping::for_each_statement(from, [&](std::span<const index> operands, const auto*) {
            set all = bits[result];
            for (const index marked : operands)
                for (std::size_t w = 0; w < words; ++w) all[w] |= bits[marked & ~mark][w];
            bits[result++] = all;
        });
        for (std::size_t i = 0; i < outputs.size(); ++i)
            for (std::size_t w = 0; w < words; ++w)
                for (std::uint64_t rest = bits[outputs[i]][w]; rest != 0; rest &= rest - 1)
                    rows[i].push_back(static_cast<int>(first + w * 64) + __builtin_ctzll(rest));
    }
    for (auto& row : rows) found.add_row(row);
}

/// On which inputs (columns) the outputs (rows) depend. Few sweeps of bits are the fastest; a step of shared sets takes
/// two to ten times as long as a set of bits of one operand.
template <class Recording>
[[nodiscard]] sparsity_pattern dependencies(const Recording& from, std::span<const index> outputs,
                                            std::span<const index> inputs) {
    const std::size_t sweeps = (inputs.size() + bits_in_sweep - 1) / bits_in_sweep;
    sparsity_pattern found(inputs.size());
    if (sweeps < 4 || !sweeping::sets_of_indices(from, outputs, inputs, sweeps * from.operand_count() / 2, found))
        sweeping::sets_of_bits(from, outputs, inputs, found);
    return found;
}

} // namespace sweeping

/// The pattern of the Jacobian of recorded outputs (rows) with respect to inputs (columns): what the recording leads
/// from one to the other, whatever the numbers. It holds at other points where the program takes the same branches and
/// arms. Outputs and inputs are lists of any kind.
/// Throws std::logic_error for an input that is not on the tape, or an operation(), whose operands are unknown.
template <class T, list_of_actives<T> Outputs = std::vector<active<T>>,
          list_of_actives<T> Inputs = std::vector<active<T>>>
[[nodiscard]] sparsity_pattern jacobian_sparsity(const basic_tape<T>& on, const Outputs& outputs,
                                                 const Inputs& inputs) {
    if (!on.can_sweep_forwards())
        core::raise(std::logic_error("jacobian_sparsity: the tape has an operation(...), and what it depends on is "
                                     "unknown; use jacobian(...)"));
    std::vector<index> rows, columns;
    const list_of<active<T>> all_outputs(outputs), all_inputs(inputs);
    for (const active<T>& y : all_outputs.numbers()) rows.push_back(on.number_of(y));
    for (const active<T>& x : all_inputs.numbers()) {
        columns.push_back(on.number_of(x));
        if (columns.back() == 0)
            core::raise(std::logic_error("jacobian_sparsity: an input is not recorded; make variables with "
                                         "tape.variable(...)"));
    }
    return sweeping::dependencies(on.entries(), rows, columns);
}

} // namespace chainrule::tape
