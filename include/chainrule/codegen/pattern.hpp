// SPDX-License-Identifier: BSL-1.0
//
// Sparsity of Jacobians and Hessians: an entry belongs to the pattern if it is not zero after simplification, which is
// known at compile time. The pattern in compressed sparse row format as constants, and the order in which
// entry/function.hpp writes the entries.
#pragma once

#include <chainrule/codegen/compile.hpp>

#include <array>

namespace chainrule {

/// The pattern of a sparse matrix in compressed sparse row format: the columns of row i, ascending, are columns[k] for
/// row_starts[i] <= k < row_starts[i + 1].
template <std::size_t Rows, std::size_t Columns, std::size_t Entries>
struct sparsity_pattern {
    std::array<int, Rows + 1> row_starts{}; ///< one more than there are rows: the last one is size()
    std::array<int, Entries> columns{};     ///< counted from 0

    /// The number of rows.
    [[nodiscard]] static constexpr std::size_t row_count() { return Rows; }
    /// The number of columns.
    [[nodiscard]] static constexpr std::size_t column_count() { return Columns; }
    /// The number of entries.
    [[nodiscard]] static constexpr std::size_t size() { return Entries; }

    /// Whether there is an entry in a row and column.
    [[nodiscard]] constexpr bool contains(std::size_t row, std::size_t column) const {
        for (int k = row_starts[row]; k < row_starts[row + 1]; ++k)
            if (columns[static_cast<std::size_t>(k)] == static_cast<int>(column)) return true;
        return false;
    }

    friend constexpr bool operator==(const sparsity_pattern&, const sparsity_pattern&) = default;
};

namespace codegen {

// The positions of the derivatives that are not zero everywhere, among all of a request.
template <std::size_t Capacity>
struct positions {
    bool complete = true; // false if one evaluation does not derive them all
    bool too_large = false;
    std::size_t count = 0;
    std::array<std::size_t, Capacity> at{};

    constexpr void read(const problem& p) {
        for (const int position : p.pattern) at[count++] = static_cast<std::size_t>(position);
    }
};
template <unsigned Request, int Wrt, class Variables, class Expressions, std::size_t Capacity>
[[nodiscard]] consteval positions<Capacity> positions_at_once() {
    const problem p =
        derive<Request, Wrt>(Variables{}, Expressions{}, cheapest_jacobian_mode<Request, Wrt, Variables>(Expressions{}),
                             most_operations(Request));
    positions<Capacity> found;
    found.complete = p.sweep.next < 0;
    found.too_large = p.too_large;
    found.read(p);
    return found;
}
// Of derivatives that are derived in several evaluations, which the program's evaluations continue.
template <unsigned Request, int Wrt, class Variables, class Expressions, std::size_t Capacity>
[[nodiscard]] consteval positions<Capacity> positions_in_pieces() {
    using derived = typename deriving_evaluation<begun_evaluation<Request, Wrt, Variables, Expressions>>::type;
    compilation c;
    read(derived::state(), parts::inputs, c);
    positions<Capacity> found;
    found.read(c.derived);
    return found;
}
template <unsigned Request, int Wrt, class Variables, class Expressions, std::size_t Capacity>
[[nodiscard]] consteval positions<Capacity> positions_of_entries() {
    constexpr unsigned request = Request | without_zeros;
    constexpr auto found = positions_at_once<request, Wrt, Variables, Expressions, Capacity>();
    if constexpr (found.too_large)
        report(too_many_operations<are_traced<Expressions>>{});
    else if constexpr (!found.complete)
        return positions_in_pieces<request, Wrt, Variables, Expressions, Capacity>();
    return found;
}

/// The entries of a Jacobian that are not zero everywhere. The lists, here and below, are under short names, since
/// messages write these types out.
template <int Wrt, class Variables, class Expressions>
struct jacobian_pattern {
private:
    using outputs = expressions::long_list<Expressions>;
    static constexpr std::size_t rows = outputs::size, columns = Wrt;
    static constexpr auto found =
        positions_of_entries<jacobians, Wrt, expressions::long_list<Variables>, outputs, rows * columns>();

public:
    static constexpr std::size_t entries = found.count;
    static constexpr auto value = [] {
        sparsity_pattern<rows, columns, entries> pattern;
        for (std::size_t k = 0; k < entries; ++k) {
            ++pattern.row_starts[found.at[k] / columns + 1];
            pattern.columns[k] = static_cast<int>(found.at[k] % columns);
        }
        for (std::size_t i = 0; i < rows; ++i) pattern.row_starts[i + 1] += pattern.row_starts[i];
        return pattern;
    }();
    /// The row of each entry.
    static constexpr auto row_of = [] {
        std::array<std::size_t, entries> row{};
        for (std::size_t k = 0; k < entries; ++k) row[k] = found.at[k] / columns;
        return row;
    }();
};

/// Whether a large Jacobian is mostly zero everywhere. Then its zeros are better filled in than outputs of a program:
/// compilers take minutes for tens of thousands.
template <int Wrt, class Variables, class Expressions>
[[nodiscard]] consteval bool has_few_entries() {
    using inputs = expressions::long_list<Variables>;
    using outputs = expressions::long_list<Expressions>;
    constexpr std::size_t all = static_cast<std::size_t>(Wrt) * outputs::size, large = 1000;
    constexpr unsigned request = jacobians | without_zeros;
    if constexpr (all < large)
        return false;
    else if constexpr (!is_small<request, Wrt, inputs, outputs>)
        return false; // what runs the program says so
    else
        return 2 * jacobian_pattern<Wrt, Variables, Expressions>::entries < all;
}

/// For a symmetric matrix: both halves.
template <unsigned Request, int Wrt, class Variables, class Expressions>
struct hessian_pattern {
private:
    static constexpr std::size_t size = Wrt, capacity = static_cast<std::size_t>(entry_count(2, Wrt));
    static constexpr auto found = positions_of_entries<Request, Wrt, expressions::long_list<Variables>,
                                                       expressions::long_list<Expressions>, capacity>();
    struct pair {
        std::size_t row;
        std::size_t column;
    };
    static constexpr auto upper = [] {
        std::array<pair, found.count> pairs{};
        std::size_t row = 0, first = 0; // the position of the first entry in the row
        for (std::size_t k = 0; k < found.count; ++k) {
            for (; found.at[k] >= first + (size - row); ++row) first += size - row;
            pairs[k] = {row, row + (found.at[k] - first)};
        }
        return pairs;
    }();

public:
    static constexpr std::size_t entries = [] {
        std::size_t count = 0;
        for (const pair& p : upper) count += p.row == p.column ? 1 : 2;
        return count;
    }();

    /// The positions of each entry of the upper triangle, and of its mirror, among all entries.
    struct place {
        std::size_t entry;
        std::size_t mirror;
    };

private:
    struct layout {
        sparsity_pattern<size, size, entries> pattern;
        std::array<place, found.count> places{};
    };
    static constexpr layout all = [] {
        layout made;
        auto& starts = made.pattern.row_starts;
        for (const pair& p : upper) {
            ++starts[p.row + 1];
            if (p.row != p.column) ++starts[p.column + 1];
        }
        for (std::size_t i = 0; i < size; ++i) starts[i + 1] += starts[i];
        // Entries left of the diagonal are mirrors of the rows above, which come first among the pairs.
        auto next = starts;
        const auto put = [&](std::size_t row, std::size_t column) {
            const auto k = static_cast<std::size_t>(next[row]++);
            made.pattern.columns[k] = static_cast<int>(column);
            return k;
        };
        for (std::size_t k = 0; k < found.count; ++k) {
            const auto [row, column] = upper[k];
            const std::size_t entry = put(row, column);
            made.places[k] = {entry, row == column ? entry : put(column, row)};
        }
        return made;
    }();

public:
    static constexpr const auto& value = all.pattern;
    static constexpr const auto& places = all.places;
};

} // namespace codegen
} // namespace chainrule
