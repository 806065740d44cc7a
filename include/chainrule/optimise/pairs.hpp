// SPDX-License-Identifier: BSL-1.0
//
// Shares pairs of factors: a pair that occurs in several products becomes a new product, repeatedly (greedy extraction;
// compare Hosangadi, Fallah, Kastner, "Optimizing polynomial expressions by algebraic factorization and common
// subexpression elimination", 2006).
#pragma once

#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::optimise {

/// Two literals that occur together in products.
struct counted_pair {
    int left;
    int right;
    int count;
    int occurrences; // the last link, or -1
};

class pair_extraction {
public:
    /// The state of a pass that stopped early.
    struct progress {
        int reach = 0;     // how far apart in a product the factors of a collected pair are at most; 0 before the pass
        int next = 0;      // the product with which the collection continues, or -1
        int round = 0;     // the number of extraction rounds that are done
        int candidate = 0; // the frequent pair with which the round continues
        int id = -1;       // the product that replaces this pair, if some occurrences are left
        int occurrence = -1;
        list<counted_pair> pairs;
        list<int> frequent; // pairs that occurred more than once
        // By link: the product, and the next link or -1. Compilers copy numbers faster than objects from one evaluation
        // to the next.
        list<int> linked;
        list<int> next_link;
        index_table table;

        template <class Progress, class Visitor>
        static constexpr void each_member(Progress& p, Visitor& visit) {
            visit(p.reach), visit(p.next), visit(p.round), visit(p.candidate), visit(p.id), visit(p.occurrence);
            visit(p.pairs), visit(p.frequent), visit(p.linked), visit(p.next_link), visit(p.table);
        }
    };

    constexpr pair_extraction(factored_products& products, progress& from)
        : d_(products), at_(from), pairs_(from.pairs), pair_table_(from.table), frequent_(from.frequent),
          linked_(from.linked), next_link_(from.next_link) {}

    /// Adds the extracted products, with numbers after the graph's nodes. Returns false if pairs are left after so many
    /// visits of a product.
    constexpr bool run(int visits) {
        visits_ = visits;
        if (at_.reach == 0) begin();
        return collect() && extract();
    }

private:
    factored_products& d_;
    progress& at_;
    list<counted_pair>& pairs_;
    index_table& pair_table_;
    list<int>& frequent_;
    list<int>& linked_;
    list<int>& next_link_;
    int visits_ = 0; // left to this evaluation

    // Bounds the work: if there are more pairs than this, pairs whose factors are far apart in a product are ignored.
    // Products that grew step by step, as in long chains, share neighbours.
    static constexpr int most_collected = 4000, long_reach = 12;

    // The greatest reach with few pairs: that of the longest product, or at most `long_reach`.
    [[nodiscard]] constexpr int find_reach() const {
        int products[long_reach + 2]{}, factors[long_reach + 2]{}; // by number of factors; the last are longer products
        int all = 0;
        for (const factored_product& m : d_.factored) {
            const int size = m.count <= long_reach ? m.count : long_reach + 1;
            ++products[size], factors[size] += m.count, all += m.count * (m.count - 1) / 2;
        }
        if (all <= most_collected) return 1 << 20;
        for (int reach = long_reach; reach > 1; --reach) {
            int pairs = 0;
            for (int size = 1; size <= long_reach + 1; ++size) {
                const int partners = size - 1 < reach ? size - 1 : reach;
                pairs += partners * factors[size] - products[size] * (partners * (partners + 1) / 2);
            }
            if (pairs <= most_collected) return reach;
        }
        return 1;
    }

    constexpr void begin() {
        at_.reach = find_reach();
        pair_table_ = index_table(2048);
        pairs_.push_back({0, 0, 0, -1}); // number 0 marks a free entry of the table
    }

    constexpr bool collect() {
        for (int& p = at_.next; p >= 0 && p < d_.factored.count; ++p) {
            if (visits_ <= 0) return false;
            const int* const literals = d_.literals.items + d_.factored.items[p].first;
            const int count = d_.factored.items[p].count;
            make_room(count * (count <= at_.reach ? count - 1 : at_.reach));
            for (int i = 0; i < count; ++i)
                for (int j = i + 1; j < count && j - i <= at_.reach; ++j) add_pair(p, literals[i], literals[j]);
        }
        at_.next = -1; // before extraction adds products
        return true;
    }

    // Where so many pairs are added, calls would cost as much as all else.
    constexpr void make_room(int more) { pairs_.make_room(more), linked_.make_room(more), next_link_.make_room(more); }

    [[nodiscard]] constexpr int find_pair(int left, int right) const {
        const int mask = pair_table_.count - 1;
        // Dense Jacobians have pairs of consecutive numbers, which must not be neighbours in the table.
        const unsigned hash = static_cast<unsigned>(left) * 0x9E3779B1u + static_cast<unsigned>(right) * 0x85EBCA77u;
        int place = static_cast<int>(hash >> 12) & mask;
        for (; pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] != 0;
             place = (place + 1) & mask) {
            const counted_pair& q =
                pairs_
                    .items[pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask]];
            if (q.left == left && q.right == right) break;
        }
        return place;
    }

    constexpr void add_pair(int p, int left, int right) {
        --visits_;
        if (right < left) {
            const int t = left;
            left = right;
            right = t;
        }
        const int place = find_pair(left, right);
        int q = pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask];
        if (q == 0) {
            q = pairs_.count++;
            counted_pair& made = pairs_.items[q];
            made.left = left, made.right = right, made.count = 1, made.occurrences = linked_.count;
            next_link_.items[linked_.count] = -1, linked_.items[linked_.count++] = p, ++next_link_.count;
            pair_table_.blocks[place >> index_table::block_bits].items[place & index_table::block_mask] = q;
            if (2 * pairs_.count > pair_table_.count) {
                visits_ -= pairs_.count / 2;
                pair_table_ = index_table((pair_table_.count < 1 << 17 ? 4 : 2) * pair_table_.count);
                for (int i = 1; i < pairs_.count; ++i) {
                    const int next = find_pair(pairs_.items[i].left, pairs_.items[i].right);
                    pair_table_.blocks[next >> index_table::block_bits].items[next & index_table::block_mask] = i;
                }
            }
            return;
        }
        counted_pair& found = pairs_.items[q];
        if (found.occurrences < 0 || linked_.items[found.occurrences] != p) {
            next_link_.items[linked_.count] = found.occurrences, ++next_link_.count;
            found.occurrences = linked_.count;
            linked_.items[linked_.count++] = p;
        } else if (found.count > 1 || count_within(q, p) < 2) {
            return;
        }
        if (++found.count == 2) frequent_.push_back(q);
    }

    // The number of times that product p contains pair q.
    [[nodiscard]] constexpr int count_within(int q, int p) const {
        const int* const literals = d_.literals.items + d_.factored.items[p].first;
        const int count = d_.factored.items[p].count;
        const int left = pairs_.items[q].left, right = pairs_.items[q].right;
        int lefts = 0, rights = 0;
        for (int k = 0; k < count; ++k) {
            const int literal = literals[k]; // one read: compilers keep each
            if (literal == left)
                ++lefts;
            else if (literal == right)
                ++rights;
        }
        return left == right ? lefts / 2 : lefts < rights ? lefts : rights;
    }

    // The positions of the two literals of pair q in product p; false if p no longer contains them.
    [[nodiscard]] constexpr bool locate(int q, int p, int& i, int& j) const {
        i = j = -1;
        const int* const literals = d_.literals.items + d_.factored.items[p].first;
        const int count = d_.factored.items[p].count;
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

    [[nodiscard]] constexpr int count_occurrences(int q) {
        int count = 0;
        int* link = &pairs_.items[q].occurrences;
        while (*link >= 0) {
            const int l = *link, p = linked_.items[l];
            visits_ -= 1 + d_.factored.items[p].count / 8;
            const int here = count_within(q, p);
            if (here == 0)
                *link = next_link_.items[l]; // for later rounds
            else
                link = &next_link_.items[l];
            count += here;
        }
        return count;
    }

    // A product that is exactly pair q provides its number; or else there is a new one.
    constexpr int product_of(int q) {
        visits_ -= pairs_.items[q].count / 4;
        int i = 0, j = 0;
        for (int l = pairs_.items[q].occurrences; l >= 0; l = next_link_.items[l]) {
            const factored_product& m = d_.factored.items[linked_.items[l]];
            if (m.count == 2 && m.guards == 0 && locate(q, linked_.items[l], i, j)) return m.id;
        }
        return d_.add_pair(pairs_.items[q].left, pairs_.items[q].right);
    }

    // Replaces pair q by node `id` in every product from an occurrence on except the pair's own.
    constexpr bool replace_pair(int q, int id) {
        int i = 0, j = 0;
        for (int& l = at_.occurrence; l >= 0; l = next_link_.items[l], --visits_) {
            const int p = linked_.items[l];
            if (d_.factored.items[p].id == id || !locate(q, p, i, j)) continue;
            if (visits_ <= 0) return false;
            factored_product& m = d_.factored.items[p];
            visits_ -= m.count / 4;
            bool again = false;
            do {
                d_.literals.items[m.first + (i < j ? i : j)] = 2 * id;
                for (int k = (i < j ? j : i) + 1; k < m.count; ++k)
                    d_.literals.items[m.first + k - 1] = d_.literals.items[m.first + k];
                --m.count;
                make_room(m.count);
                for (int k = 0; k < m.count; ++k) {
                    const int other = d_.literals.items[m.first + k];
                    if (other != 2 * id || again) add_pair(p, other, 2 * id);
                }
                again = locate(q, p, i, j);
            } while (again);
        }
        return true;
    }

    constexpr bool extract() {
        constexpr int least[] = {8, 4, 3, 2}; // occurrences of the pairs of a round
        for (; at_.round != 4; ++at_.round, at_.candidate = 0)
            for (int& f = at_.candidate; f < frequent_.count; ++f, --visits_) {
                const int q = frequent_.items[f];
                if (at_.id < 0) {
                    if (pairs_.items[q].count < least[at_.round]) continue;
                    if (visits_ <= 0) return false;
                    pairs_.items[q].count = count_occurrences(q);
                    if (pairs_.items[q].count < least[at_.round]) continue;
                    at_.id = product_of(q);
                    at_.occurrence = pairs_.items[q].occurrences;
                }
                if (!replace_pair(q, at_.id)) return false;
                pairs_.items[q].count = 0;
                at_.id = -1;
            }
        return true;
    }
};

} // namespace chainrule::optimise
