// SPDX-License-Identifier: BSL-1.0
//
// How do the products of a graph share their parts? Values that are computed anyway serve as parts first; then the pair
// of literals that most products contain becomes a product of its own, again and again (greedy extraction; compare
// Hosangadi, Fallah, Kastner, "Optimizing polynomial expressions by algebraic factorization and common subexpression
// elimination", 2006). The next stage is program/schedule.hpp.
#pragma once

#include <chainrule/program/graph.hpp>

#include <initializer_list>

namespace chainrule::program {

/// A run in the list of literals: the product of these literals.
struct plan {
    int first = 0;
    int count = 0;
};

/// A value node that equals a node times a coefficient; a list per node.
struct scaled_value {
    int c = 0;
    int id = 0;
    int next = -1;
};

/// How each product is to be multiplied out. A literal is a node or its reciprocal: 2 * id + (1 if reciprocal).
/// Extracted pairs have numbers after the graph's.
struct shared_products {
    list<bool> needed;       // by node
    list<bool> as_written;   // by node: needed as a value
    list<term> realized;     // by product: the term of a value node that equals it
    list<int> scaled_heads;  // by node: value nodes that equal a multiple of it
    list<scaled_value> scaled;
    list<int> plan_of;       // by node: index into plans, or -1
    list<plan> plans;
    list<int> literals;
};

class product_sharing {
public:
    constexpr explicit product_sharing(graph_data& g) : g_(g), coefficients_(g.coefficients) {}

    [[nodiscard]] constexpr shared_products run(const list<term>& outputs) {
        mark_needed(outputs);
        find_realizations();
        collect_products();
        reuse_value_products();
        extract_pairs();
        return static_cast<shared_products&&>(d_);
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

    graph_data& g_;
    coefficient_table& coefficients_;
    shared_products d_;
    list<int> plan_ids_;
    list<pair> pairs_;
    list<int> pair_table_;
    list<int> frequent_; // pairs that occurred more than once
    list<link> links_;

    // 1. What is needed ----------------------------------------------------------------------------------------------

    constexpr void mark_needed(const list<term>& outputs) {
        const int n = g_.size();
        d_.needed = list<bool>(n, false);
        d_.as_written = list<bool>(n, false);
        for (int i = 0; i < outputs.size(); ++i)
            if (!outputs[i].is_zero()) d_.needed[outputs[i].id] = d_.as_written[outputs[i].id] = true;
        for (int id = n - 1; id >= 0; --id) {
            if (!d_.needed[id]) continue;
            const node& m = g_[id];
            if (m.what >= kind::sum) {
                for (int i = 0; i < m.b; ++i) d_.needed[g_.pool[m.a + i].id] = true;
            } else if (m.what >= kind::negate) {
                d_.needed[m.a] = d_.as_written[m.a] = true;
                if (m.b >= 0) d_.needed[m.b] = d_.as_written[m.b] = true;
            }
        }
    }

    // Value nodes that must be computed anyway and equal a needed product, or a multiple of a needed node.
    constexpr void find_realizations() {
        const int n = d_.needed.size();
        d_.realized = list<term>(n);
        d_.scaled_heads = list<int>(n, -1);
        for (int id = 0; id < n; ++id) {
            if (!d_.needed[id]) continue;
            const node m = g_[id];
            if (!d_.as_written[id] || (m.what != kind::multiply && m.what != kind::divide)) continue;
            const term t = g_.canonical[id];
            if (t.is_zero() || t.id >= n || !d_.needed[t.id]) continue;
            d_.scaled.push_back({t.c, id, d_.scaled_heads[t.id]});
            d_.scaled_heads[t.id] = d_.scaled.size() - 1;
            if (g_[t.id].what == kind::product && (d_.realized[t.id].is_zero() || (t.c >> 1) == 0))
                d_.realized[t.id] = {coefficients_.over(0, t.c), id};
        }
    }

    // 2. Products ----------------------------------------------------------------------------------------------------

    constexpr void collect_products() {
        const int n = d_.needed.size();
        d_.plan_of = list<int>(n, -1);
        // A nested product is a literal, which has no coefficient.
        for (int id = 0; id < n; ++id) {
            if (!d_.needed[id] || g_[id].what != kind::product || !d_.realized[id].is_zero()) continue;
            for (int i = 0; i < g_[id].b; ++i) {
                const int factor = g_.pool[g_[id].a + i].id;
                if (!d_.realized[factor].is_zero() && d_.realized[factor].c != 0) d_.realized[factor] = {};
            }
        }
        for (int id = 0; id < n; ++id) {
            if (!d_.needed[id] || g_[id].what != kind::product || !d_.realized[id].is_zero()) continue;
            const node& m = g_[id];
            const int first = d_.literals.size();
            for (int i = 0; i < m.b; ++i) {
                const term f = g_.pool[m.a + i];
                const int literal = 2 * (d_.realized[f.id].is_zero() ? f.id : d_.realized[f.id].id) + (f.c < 0 ? 1 : 0);
                for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) d_.literals.push_back(literal);
            }
            add_plan(id, first);
        }
        pair_table_ = list<int>(1024, -1);
        for (int p = 0; p < d_.plans.size(); ++p)
            for (int i = 0; i < d_.plans[p].count; ++i)
                for (int j = i + 1; j < d_.plans[p].count; ++j) add_pair(p, literal(p, i), literal(p, j));
    }

    constexpr void add_plan(int id, int first) {
        d_.plan_of[id] = d_.plans.size();
        plan_ids_.push_back(id);
        d_.plans.push_back({first, d_.literals.size() - first});
    }
    [[nodiscard]] constexpr int literal(int p, int i) const { return d_.literals[d_.plans[p].first + i]; }

    [[nodiscard]] constexpr int find_pair(int left, int right) const {
        const unsigned mask = static_cast<unsigned>(pair_table_.size()) - 1;
        unsigned place = static_cast<unsigned>(mix(static_cast<hash_value>(left), static_cast<hash_value>(right))) & mask;
        for (; pair_table_[static_cast<int>(place)] >= 0; place = (place + 1) & mask) {
            const pair& q = pairs_[pair_table_[static_cast<int>(place)]];
            if (q.left == left && q.right == right) break;
        }
        return static_cast<int>(place);
    }

    constexpr void add_pair(int p, int left, int right) {
        if (right < left) {
            const int t = left;
            left = right;
            right = t;
        }
        const int place = find_pair(left, right);
        int q = pair_table_[place];
        if (q < 0) {
            q = pairs_.size();
            pairs_.push_back({left, right});
            pair_table_[place] = q;
            if (2 * pairs_.size() > pair_table_.size()) {
                pair_table_ = list<int>(2 * pair_table_.size(), -1);
                for (int i = 0; i < pairs_.size(); ++i) pair_table_[find_pair(pairs_[i].left, pairs_[i].right)] = i;
            }
        }
        if (pairs_[q].occurrences >= 0 && links_[pairs_[q].occurrences].product == p) return;
        links_.push_back({p, pairs_[q].occurrences});
        pairs_[q].occurrences = links_.size() - 1;
        if (++pairs_[q].count == 2) frequent_.push_back(q);
    }

    // Where the two literals of pair q stand in product p; false where they no longer do.
    [[nodiscard]] constexpr bool locate(int q, int p, int& i, int& j) const {
        i = j = -1;
        for (int k = 0; k < d_.plans[p].count; ++k) {
            if (i < 0 && literal(p, k) == pairs_[q].left)
                i = k;
            else if (j < 0 && literal(p, k) == pairs_[q].right)
                j = k;
        }
        return i >= 0 && j >= 0;
    }

    [[nodiscard]] constexpr int count_occurrences(int q) const {
        int count = 0, i = 0, j = 0;
        for (int l = pairs_[q].occurrences; l >= 0; l = links_[l].next)
            if (locate(q, links_[l].product, i, j)) ++count;
        return count;
    }

    // Puts node `id` in the place of the pair, in every product but its own.
    constexpr void replace_pair(int q, int id) {
        int i = 0, j = 0;
        for (int l = pairs_[q].occurrences; l >= 0; l = links_[l].next) {
            const int p = links_[l].product;
            if (plan_ids_[p] == id || !locate(q, p, i, j)) continue;
            plan& m = d_.plans[p];
            d_.literals[m.first + (i < j ? i : j)] = 2 * id;
            for (int k = (i < j ? j : i) + 1; k < m.count; ++k) d_.literals[m.first + k - 1] = d_.literals[m.first + k];
            --m.count;
            for (int k = 0; k < m.count; ++k)
                if (literal(p, k) != 2 * id) add_pair(p, literal(p, k), 2 * id);
        }
    }

    constexpr void reuse_value_products() {
        if (d_.plans.empty()) return;
        for (int id = 0; id < d_.needed.size(); ++id) {
            if (!d_.as_written[id] || (g_[id].what != kind::multiply && g_[id].what != kind::divide)) continue;
            const int a = 2 * g_[id].a, b = 2 * g_[id].b + (g_[id].what == kind::divide ? 1 : 0);
            const int q = pair_table_[find_pair(a < b ? a : b, a < b ? b : a)];
            if (q >= 0) replace_pair(q, id);
        }
    }

    constexpr void extract_pairs() {
        for (int least : {8, 4, 3, 2}) {
            for (int f = 0; f < frequent_.size(); ++f) {
                const int q = frequent_[f];
                if (pairs_[q].count < least) continue;
                const int count = count_occurrences(q);
                pairs_[q].count = count;
                if (count < least) continue;
                // A product that is just this pair lends its number.
                int id = -1, i = 0, j = 0;
                for (int l = pairs_[q].occurrences; l >= 0 && id < 0; l = links_[l].next)
                    if (d_.plans[links_[l].product].count == 2 && locate(q, links_[l].product, i, j))
                        id = plan_ids_[links_[l].product];
                if (id < 0) {
                    id = d_.plan_of.size();
                    d_.plan_of.push_back(-1);
                    const int first = d_.literals.size();
                    d_.literals.push_back(pairs_[q].left);
                    d_.literals.push_back(pairs_[q].right);
                    add_plan(id, first);
                }
                replace_pair(q, id);
                pairs_[q].count = 0;
            }
        }
    }
};

} // namespace chainrule::program
