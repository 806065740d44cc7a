// SPDX-License-Identifier: BSL-1.0
//
// Shares pairs of factors: a pair that occurs in several products becomes a new product, repeatedly (greedy extraction;
// compare Hosangadi, Fallah, Kastner, "Optimizing polynomial expressions by algebraic factorization and common
// subexpression elimination", 2006).
#pragma once

#include <chainrule/optimise/shared_products.hpp>

#include <initializer_list>

namespace chainrule::optimise {

class pair_extraction {
public:
    constexpr explicit pair_extraction(factored_products& products) : d_(products) {}

    /// Adds the extracted products, with numbers after the graph's nodes. Stops when that many pairs were found in
    /// addition to the initial ones, and then returns false: pairs are left to extract.
    constexpr bool run(int more_pairs = 1 << 30) {
        collect();
        most_additions_ = more_pairs < 1 << 20 ? additions_ + 2 * more_pairs : 1 << 30;
        return extract(pairs_.count + more_pairs);
    }

private:
    struct pair {
        int left = 0;
        int right = 0;
        int count = 0;
        int occurrences = -1;
    };
    struct link {
        int product = 0;
        int next = -1;
    };
    factored_products& d_;
    list<pair> pairs_;
    index_table pair_table_;
    list<int> frequent_; // pairs that occurred more than once
    list<link> links_;
    int additions_ = 0, most_additions_ = 1 << 30; // calls of add_pair

    // Compilers limit the steps of an evaluation. If there are more pairs than this, pairs whose factors are far apart
    // in a product are ignored: products that grew step by step, as in long chains, share neighbours.
    static constexpr int most_collected = 4000;
    [[nodiscard]] constexpr int reach() const {
        int reach = 1 << 20;
        for (;; reach = reach > 12 ? 12 : reach - 1) {
            int pairs = 0;
            for (const plan& m : d_.plans) {
                const int partners = m.count - 1 < reach ? m.count - 1 : reach;
                pairs += partners * m.count - partners * (partners + 1) / 2;
            }
            if (pairs <= most_collected || reach == 1) return reach;
        }
    }

    constexpr void collect() {
        const int reach = this->reach();
        pair_table_ = index_table(2048);
        pairs_.push_back({}); // number 0 marks a free entry of the table
        for (int p = 0; p < d_.plans.count; ++p) {
            const int* const literals = d_.literals.items + d_.plans.items[p].first;
            const int count = d_.plans.items[p].count;
            for (int i = 0; i < count; ++i)
                for (int j = i + 1; j < count && j - i <= reach; ++j) add_pair(p, literals[i], literals[j]);
        }
    }

    [[nodiscard]] constexpr int literal(int p, int i) const { return d_.literals.items[d_.plans.items[p].first + i]; }

    [[nodiscard]] constexpr int find_pair(int left, int right) const {
        const int mask = pair_table_.count - 1;
        int place = (left * 37 + right * 5) & mask;
        for (; pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] != 0;
             place = (place + 1) & mask) {
            const pair& q =
                pairs_
                    .items[pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]];
            if (q.left == left && q.right == right) break;
        }
        return place;
    }

    constexpr void add_pair(int p, int left, int right) {
        ++additions_;
        if (right < left) {
            const int t = left;
            left = right;
            right = t;
        }
        const int place = find_pair(left, right);
        int q = pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask];
        if (q == 0) {
            q = pairs_.count;
            pairs_.push_back({left, right, 1, links_.count});
            links_.push_back({p, -1});
            pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] = q;
            if (2 * pairs_.count > pair_table_.count) {
                pair_table_ = index_table(4 * pair_table_.count);
                for (int i = 1; i < pairs_.count; ++i) {
                    const int next = find_pair(pairs_.items[i].left, pairs_.items[i].right);
                    pair_table_.blocks[next >> index_table::block_bits].items[next & index_table::block_mask] = i;
                }
            }
            return;
        }
        pair& found = pairs_.items[q];
        if (links_.items[found.occurrences].product != p) {
            links_.push_back({p, found.occurrences});
            found.occurrences = links_.count - 1;
        } else if (found.count > 1 || count_within(q, p) < 2) {
            return;
        }
        if (++found.count == 2) frequent_.push_back(q);
    }

    // The number of times that product p contains pair q.
    [[nodiscard]] constexpr int count_within(int q, int p) const {
        const int* const literals = d_.literals.items + d_.plans.items[p].first;
        const int count = d_.plans.items[p].count;
        const int left = pairs_.items[q].left, right = pairs_.items[q].right;
        int lefts = 0, rights = 0;
        for (int k = 0; k < count; ++k) {
            lefts += literals[k] == left ? 1 : 0;
            rights += literals[k] == right ? 1 : 0;
        }
        return left == right ? lefts / 2 : lefts < rights ? lefts : rights;
    }

    // The positions of the two literals of pair q in product p; false if p no longer contains them.
    [[nodiscard]] constexpr bool locate(int q, int p, int& i, int& j) const {
        i = j = -1;
        const int* const literals = d_.literals.items + d_.plans.items[p].first;
        const int count = d_.plans.items[p].count;
        const int left = pairs_.items[q].left, right = pairs_.items[q].right;
        for (int k = 0; k < count; ++k) {
            const int l = literals[k];
            if (i < 0 && l == left)
                i = k;
            else if (j < 0 && l == right)
                j = k;
        }
        return i >= 0 && j >= 0;
    }

    [[nodiscard]] constexpr int count_occurrences(int q) const {
        int count = 0;
        for (int l = pairs_.items[q].occurrences; l >= 0; l = links_.items[l].next)
            count += count_within(q, links_.items[l].product);
        return count;
    }

    // Replaces the pair by node `id` in every product except the pair's own. Returns false if some are left, which the
    // next evaluation finds with the pair's own.
    constexpr bool replace_pair(int q, int id) {
        int i = 0, j = 0;
        for (int l = pairs_.items[q].occurrences; l >= 0; l = links_.items[l].next) {
            const int p = links_.items[l].product;
            if (d_.plans.items[p].id == id || !locate(q, p, i, j)) continue;
            if (additions_ > most_additions_) return false;
            plan& m = d_.plans.items[p];
            bool again = false;
            do {
                d_.literals.items[m.first + (i < j ? i : j)] = 2 * id;
                for (int k = (i < j ? j : i) + 1; k < m.count; ++k)
                    d_.literals.items[m.first + k - 1] = d_.literals.items[m.first + k];
                --m.count;
                for (int k = 0; k < m.count; ++k)
                    if (literal(p, k) != 2 * id || again) add_pair(p, literal(p, k), 2 * id);
                again = locate(q, p, i, j);
            } while (again);
        }
        return true;
    }

    constexpr bool extract(int most_pairs) {
        for (int least : {8, 4, 3, 2}) {
            for (int f = 0; f < frequent_.count; ++f) {
                if (pairs_.count > most_pairs) return false;
                const int q = frequent_.items[f];
                if (pairs_.items[q].count < least) continue;
                const int count = count_occurrences(q);
                pairs_.items[q].count = count;
                if (count < least) continue;
                // A product that is exactly this pair provides its number.
                int id = -1, i = 0, j = 0;
                for (int l = pairs_.items[q].occurrences; l >= 0 && id < 0; l = links_.items[l].next) {
                    const plan& m = d_.plans.items[links_.items[l].product];
                    if (m.count == 2 && m.guards == 0 && locate(q, links_.items[l].product, i, j)) id = m.id;
                }
                if (id < 0) {
                    id = d_.factors_of.count;
                    d_.factors_of.push_back(d_.plans.count);
                    d_.plans.push_back({d_.literals.count, 2, id, 0, 0});
                    d_.literals.push_back(pairs_.items[q].left);
                    d_.literals.push_back(pairs_.items[q].right);
                }
                if (!replace_pair(q, id)) return false;
                pairs_.items[q].count = 0;
            }
        }
        return true;
    }
};

} // namespace chainrule::optimise
