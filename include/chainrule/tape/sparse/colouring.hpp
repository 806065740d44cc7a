// SPDX-License-Identifier: BSL-1.0
//
// Columns or rows of a sparse matrix that one sweep can compute together, and how their entries are read from what it
// computes: A. H. Gebremedhin, F. Manne, A. Pothen, "What color is your Jacobian? Graph coloring for computing
// derivatives", SIAM Review 47 (2005). Greedy colourings, vertices of high degree first.
#pragma once

#include <chainrule/tape/derivatives/matrix.hpp>
#include <chainrule/tape/sparse/sparsity.hpp>

#include <numeric>

namespace chainrule::tape {

/// A group for each column, or each row; groups are numbered from 0.
struct colouring {
    std::vector<int> groups;
    std::size_t count = 0;
};

/// Where an entry is among the products of the groups.
struct product_place {
    int group, at;
};

namespace colours {

/// The rows by their number of entries, most first, equal ones in order. Not by std::stable_sort: clang reports what
/// that of libstdc++ 12 calls as deprecated, depending on the order of includes.
[[nodiscard]] inline std::vector<std::size_t> longest_first(const sparsity_pattern& of) {
    std::vector<std::size_t> order(of.row_count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return of.row(a).size() != of.row(b).size() ? of.row(a).size() > of.row(b).size() : a < b;
    });
    return order;
}

/// The number of entries in the row that has most.
[[nodiscard]] inline std::size_t longest(const sparsity_pattern& of) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < of.row_count(); ++i) most = std::max(most, of.row(i).size());
    return most;
}

/// Gives each vertex the first colour that forbid(v, colours, forbidden) does not forbid, and calls took(v, colours).
/// Vertices without a colour have -1.
template <class Forbid, class Took>
[[nodiscard]] colouring greedy(const std::vector<std::size_t>& order, Forbid forbid, Took took) {
    colouring result{std::vector<int>(order.size(), -1), 0};
    std::vector<std::size_t> last(order.size() + 1, order.size()); // the last vertex to which a colour was forbidden
    for (const std::size_t v : order) {
        forbid(v, result.groups, [&](int colour) { last[static_cast<std::size_t>(colour)] = v; });
        std::size_t colour = 0;
        while (last[colour] == v) ++colour;
        result.groups[v] = static_cast<int>(colour);
        result.count = std::max(result.count, colour + 1);
        took(v, result.groups);
    }
    return result;
}

/// Rows of one colour have no entry in the same column (a partial distance-2 colouring).
[[nodiscard]] inline colouring of_rows(const sparsity_pattern& rows, const sparsity_pattern& columns) {
    return colours::greedy(
        longest_first(rows),
        [&](std::size_t v, const std::vector<int>& given, auto forbid) {
            for (const int column : rows.row(v))
                for (const int other : columns.row(static_cast<std::size_t>(column)))
                    if (const int c = given[static_cast<std::size_t>(other)]; c >= 0) forbid(c);
        },
        [](std::size_t, const std::vector<int>&) {});
}

/// A star colouring of a symmetric pattern: neighbours differ, and each path of four vertices has three colours. In
/// steps proportional to entries times colours, also if some vertices have many neighbours.
[[nodiscard]] inline colouring star(const sparsity_pattern& symmetric) {
    // The colours of the neighbours of a vertex. As long as it has no colour itself, they differ.
    struct around {
        int colour;
        std::size_t first; // a neighbour of this colour
        bool several;
    };
    std::vector<std::vector<around>> neighbours(symmetric.row_count());
    // The colours that would end a path of two colours: a new neighbour of w, w, x, and another neighbour of x with the
    // colour of w. They are those of x.
    std::vector<std::vector<int>> barred(symmetric.row_count());
    const auto bar = [&](std::size_t w, int colour) {
        if (std::find(barred[w].begin(), barred[w].end(), colour) == barred[w].end()) barred[w].push_back(colour);
    };
    return colours::greedy(
        longest_first(symmetric),
        [&](std::size_t v, const std::vector<int>& given, auto forbid) {
            for (const int neighbour : symmetric.row(v)) {
                const auto w = static_cast<std::size_t>(neighbour);
                if (w == v) continue;
                if (given[w] >= 0) {
                    forbid(given[w]);
                    for (const int colour : barred[w]) forbid(colour);
                } else {
                    for (const around& x : neighbours[w]) forbid(x.colour);
                }
            }
        },
        [&](std::size_t v, const std::vector<int>& given) {
            for (const int neighbour : symmetric.row(v)) {
                const auto x = static_cast<std::size_t>(neighbour);
                if (x == v) continue;
                const auto same = std::find_if(neighbours[x].begin(), neighbours[x].end(),
                                               [&](const around& a) { return a.colour == given[v]; });
                if (same == neighbours[x].end()) {
                    neighbours[x].push_back({given[v], v, false});
                    continue;
                }
                if (!same->several) bar(same->first, given[x]);
                same->several = true;
                bar(v, given[x]);
            }
        });
}

/// The sum of the unit vectors of each group, in a row.
template <class T>
[[nodiscard]] matrix<T> directions(const colouring& of) {
    matrix<T> result(of.count, of.groups.size());
    for (std::size_t i = 0; i < of.groups.size(); ++i) result(static_cast<std::size_t>(of.groups[i]), i) = T(1);
    return result;
}

/// A pattern, the groups of its columns or rows, and where each entry is in the products of the groups.
class plan {
public:
    [[nodiscard]] const sparsity_pattern& pattern() const { return pattern_; }
    [[nodiscard]] const colouring& groups() const { return groups_; }
    /// For each entry the product to read, and where.
    [[nodiscard]] const std::vector<product_place>& places() const { return places_; }

    /// The entries, from the product of each group, a row of `products`.
    template <class T>
    [[nodiscard]] std::vector<T> entries_from(const matrix<T>& products) const {
        std::vector<T> result;
        result.reserve(places_.size());
        for (const auto& [group, at] : places_)
            result.push_back(products(static_cast<std::size_t>(group), static_cast<std::size_t>(at)));
        return result;
    }

protected:
    explicit plan(sparsity_pattern of) : pattern_(std::move(of)) {}
    sparsity_pattern pattern_;
    colouring groups_;
    std::vector<product_place> places_;
};

} // namespace colours

/// The computation of a sparse Jacobian: its pattern, and groups of columns for forward mode or of rows for reverse
/// mode, whichever are fewer.
class jacobian_plan : public colours::plan {
public:
    explicit jacobian_plan(sparsity_pattern of) : plan(std::move(of)) {
        find_groups();
        places_.reserve(pattern_.size());
        for (std::size_t i = 0; i < pattern_.row_count(); ++i)
            for (const int j : pattern_.row(i))
                places_.push_back(
                    by_rows_ ? product_place{groups_.groups[i], j}
                             : product_place{groups_.groups[static_cast<std::size_t>(j)], static_cast<int>(i)});
    }
    /// Whether the groups are of rows.
    [[nodiscard]] bool by_rows() const { return by_rows_; }

private:
    bool by_rows_ = false;

    void find_groups() {
        // The entries of a row need as many groups of columns, so the other side may not be worth trying.
        const sparsity_pattern columns = pattern_.transposed();
        const std::size_t fewest = colours::longest(pattern_), fewest_of_rows = colours::longest(columns);
        by_rows_ = fewest_of_rows < fewest;
        groups_ = by_rows_ ? colours::of_rows(pattern_, columns) : colours::of_rows(columns, pattern_);
        if ((by_rows_ ? fewest : fewest_of_rows) >= groups_.count) return;
        colouring other = by_rows_ ? colours::of_rows(columns, pattern_) : colours::of_rows(pattern_, columns);
        if (other.count >= groups_.count) return;
        groups_ = std::move(other);
        by_rows_ = !by_rows_;
    }
};

/// The computation of a sparse Hessian: its pattern, both halves, and groups of columns such that of each pair of equal
/// entries one is alone in the product of its group.
class hessian_plan : public colours::plan {
public:
    /// Throws std::invalid_argument if the pattern is not symmetric.
    explicit hessian_plan(sparsity_pattern of) : plan(std::move(of)) {
        if (!(pattern_.transposed() == pattern_))
            core::raise(std::invalid_argument("hessian_plan: the pattern is not symmetric; pass that of a Hessian"));
        groups_ = colours::star(pattern_);
        find_places();
    }

private:
    void find_places() {
        const auto group = [&](int of) { return groups_.groups[static_cast<std::size_t>(of)]; };
        std::vector<int> in_row(groups_.count); // columns of each group in a row
        const auto count = [&](int column) -> int& { return in_row[static_cast<std::size_t>(group(column))]; };
        places_.reserve(pattern_.size());
        for (std::size_t row = 0; row < pattern_.row_count(); ++row) {
            const auto i = static_cast<int>(row);
            for (const int j : pattern_.row(row)) ++count(j);
            for (const int j : pattern_.row(row))
                places_.push_back(count(j) == 1 ? product_place{group(j), i} : product_place{group(i), j});
            for (const int j : pattern_.row(row)) count(j) = 0;
        }
    }
};

} // namespace chainrule::tape
