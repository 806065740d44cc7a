// SPDX-License-Identifier: BSL-1.0
//
// How do the products of a graph share their parts? Values that are computed anyway serve as parts first; then the pair
// of literals that most products contain becomes a product of its own, again and again (greedy extraction; compare
// Hosangadi, Fallah, Kastner, "Optimizing polynomial expressions by algebraic factorization and common subexpression
// elimination", 2006). The next stage is program/schedule.hpp.
#pragma once

#include <chainrule/program/scales.hpp>

#include <initializer_list>

namespace chainrule::program {

class product_sharing {
public:
    constexpr explicit product_sharing(graph_data& g) : g_(g), coefficients_(g.coefficients) {}

    [[nodiscard]] constexpr shared_products run(list<term>& outputs) {
        mark_needed(outputs);
        find_realizations();
        collect_products();
        scale_choice(g_, d_, v_, outputs).run();
        collect_pairs();
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
    struct value_product {
        int id = 0;
        int weight = 0; // literals
        int next = -1;
    };

    graph_data& g_;
    coefficient_table& coefficients_;
    shared_products d_;
    known_values v_;
    list<value_product> value_products_; // products that are values, in lists by their last factor
    list<int> value_product_heads_;
    list<term> rest_; // what is left of a product
    int c_ = 0;       // the coefficient of a product whose literals are being collected
    list<pair> pairs_;
    list<int> pair_table_;
    list<int> frequent_; // pairs that occurred more than once
    list<link> links_;

    // 1. What is needed ----------------------------------------------------------------------------------------------

    constexpr void mark_needed(const list<term>& outputs) {
        const int n = g_.size();
        d_.needed = list<bool>(n);
        d_.as_written = list<bool>(n);
        for (int i = 0; i < outputs.count; ++i)
            if (!outputs.items[i].is_zero()) {
                d_.needed.items[outputs.items[i].id] = true;
                d_.as_written.items[outputs.items[i].id] = g_.nodes.items[outputs.items[i].id].what < kind::sum;
            }
        for (int id = n - 1; id >= 0; --id) {
            if (!d_.needed.items[id]) continue;
            const node& m = g_.nodes.items[id];
            if (m.what >= kind::sum) {
                for (int i = 0; i < m.b; ++i) {
                    d_.needed.items[g_.pool.items[m.a + i].id] = true;
                    if (m.what >= kind::select) d_.as_written.items[g_.pool.items[m.a + i].id] = true;
                }
            } else if (m.what >= kind::negate) {
                d_.needed.items[m.a] = d_.as_written.items[m.a] = true;
                if (m.b >= 0) d_.needed.items[m.b] = d_.as_written.items[m.b] = true;
            }
        }
    }

    // The number of factors of a product, counted with their powers.
    [[nodiscard]] constexpr int weight_of(int id) const {
        const node& m = g_.nodes.items[id];
        if (m.what != kind::product) return id == graph_data::one ? 0 : 1;
        int weight = 0;
        for (int i = m.a; i < m.a + m.b; ++i)
            weight += g_.pool.items[i].c < 0 ? -g_.pool.items[i].c : g_.pool.items[i].c;
        return weight;
    }

    // Values in which factors cancel. Where such a value is NaN, as (x / y) * y is for y = 0, so is what was asked,
    // unless it belongs to an arm of a choice that is not taken: then nothing else may be computed from it.
    [[nodiscard]] constexpr list<bool> cancelling_values(int n) const {
        list<bool> cancels(n);
        bool conditional = false;
        for (int id = 0; id < n && !conditional; ++id) conditional = g_.is_condition(id);
        for (int id = 0; id < n && conditional; ++id) {
            const node& m = g_.nodes.items[id];
            if (m.what < kind::negate || m.what > kind::divide) continue;
            if (m.what == kind::add || m.what == kind::subtract) continue;
            cancels.items[id] = cancels.items[m.a] || (m.b >= 0 && cancels.items[m.b]);
            const term whole = g_.canonical_terms.items[id];
            if (m.b < 0 || whole.is_zero() || cancels.items[id]) continue;
            const term a = g_.canonical_terms.items[m.a], b = g_.canonical_terms.items[m.b];
            if (!a.is_zero() && !b.is_zero())
                cancels.items[id] = weight_of(whole.id) < weight_of(a.id) + weight_of(b.id);
        }
        return cancels;
    }

    // Value nodes that must be computed anyway and equal a needed product, or a multiple of a needed node.
    constexpr void find_realizations() {
        const int n = d_.needed.count;
        v_.realized = list<term>(n);
        v_.scaled_heads = list<int>(n, -1);
        value_product_heads_ = list<int>(n, -1);
        const list<bool> cancels = cancelling_values(n);
        for (int id = 0; id < n; ++id) {
            if (!d_.needed.items[id] || cancels.items[id]) continue;
            const node m = g_.nodes.items[id];
            if (!d_.as_written.items[id] || (m.what != kind::multiply && m.what != kind::divide)) continue;
            const term t = g_.canonical_terms.items[id];
            if (t.is_zero() || t.id >= n) continue;
            if (t.c == 0 && g_.nodes.items[t.id].what == kind::product) {
                const node& product = g_.nodes.items[t.id];
                const int last = g_.pool.items[product.a + product.b - 1].id;
                value_products_.push_back({id, weight_of(t.id), value_product_heads_.items[last]});
                value_product_heads_.items[last] = value_products_.count - 1;
            }
            if (!d_.needed.items[t.id]) continue;
            v_.scaled.push_back({t.c, id, v_.scaled_heads.items[t.id]});
            v_.scaled_heads.items[t.id] = v_.scaled.count - 1;
            if (g_.nodes.items[t.id].what != kind::product || d_.as_written.items[t.id]) continue;
            if (v_.realized.items[t.id].is_zero() || (t.c >> 1) == 0)
                v_.realized.items[t.id] = {coefficients_.over(0, t.c), id};
        }
    }

    // 2. Products ----------------------------------------------------------------------------------------------------

    constexpr void collect_products() {
        const int n = d_.needed.count;
        d_.plan_of = list<int>(n, -1);
        for (int id = 0; id < n; ++id) {
            if (!d_.needed.items[id] || g_.nodes.items[id].what != kind::product) continue;
            if (!v_.realized.items[id].is_zero()) continue;
            const node& m = g_.nodes.items[id];
            rest_.truncate(0);
            const int guards = d_.literals.count;
            for (int i = m.a; i < m.a + m.b; ++i) {
                if (g_.is_condition(g_.pool.items[i].id))
                    d_.literals.push_back(g_.pool.items[i].id);
                else
                    rest_.push_back(g_.pool.items[i]);
            }
            const int first = d_.literals.count;
            c_ = 0;
            while (take_value_product()) {
            }
            for (int i = 0; i < rest_.count; ++i) {
                term f = rest_.items[i];
                // sqrt(u)^2 is u, which is there.
                if ((f.c < -1 || f.c > 1) && g_.is_square_root(f.id)) {
                    push_literals({f.c / 2, g_.nodes.items[f.id].a});
                    f.c %= 2;
                }
                push_literals(f);
            }
            add_plan(id, first, first - guards);
        }
    }
    constexpr void push_literals(term f) {
        if (const term r = v_.realized.items[f.id]; !r.is_zero()) {
            f.id = r.id;
            for (int e = f.c < 0 ? -f.c : f.c; r.c != 0 && e > 0; --e)
                c_ = f.c < 0 ? coefficients_.over(c_, r.c) : coefficients_.times(c_, r.c);
        }
        for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) d_.literals.push_back(2 * f.id + (f.c < 0 ? 1 : 0));
    }

    // Whether a product of values divides what is left of a product; the longest becomes a literal in place of its
    // factors.
    constexpr bool take_value_product() {
        int best = -1, best_weight = 1;
        for (int i = 0; i < rest_.count; ++i) {
            if (rest_.items[i].c == 0) continue;
            for (int k = value_product_heads_.items[rest_.items[i].id]; k >= 0; k = value_products_.items[k].next) {
                const value_product& v = value_products_.items[k];
                if (v.weight <= best_weight || !divides(g_.canonical_terms.items[v.id].id, i)) continue;
                best_weight = v.weight;
                best = v.id;
            }
        }
        if (best < 0) return false;
        const node& m = g_.nodes.items[g_.canonical_terms.items[best].id];
        for (int i = 0, k = 0; k < m.b; ++k, ++i) {
            while (rest_.items[i].id != g_.pool.items[m.a + k].id) ++i;
            rest_.items[i].c -= g_.pool.items[m.a + k].c;
        }
        d_.literals.push_back(2 * best);
        return true;
    }
    // Whether a product whose last factor is number `last` of what is left divides that.
    [[nodiscard]] constexpr bool divides(int product, int last) const {
        const node& m = g_.nodes.items[product];
        if (m.b > last + 1) return false;
        for (int i = last, k = m.b - 1; k >= 0; --k, --i) {
            const term f = g_.pool.items[m.a + k];
            while (i >= 0 && rest_.items[i].id > f.id) --i;
            if (i < 0 || rest_.items[i].id != f.id) return false;
            if (f.c > 0 ? rest_.items[i].c < f.c : rest_.items[i].c > f.c) return false;
        }
        return true;
    }

    constexpr void collect_pairs() {
        pair_table_ = list<int>(2048);
        pairs_.push_back({}); // number 0 marks a free place of the table
        for (int p = 0; p < d_.plans.count; ++p) {
            const int* const literals = d_.literals.items + d_.plans.items[p].first;
            const int count = d_.plans.items[p].count;
            for (int i = 0; i < count; ++i)
                for (int j = i + 1; j < count; ++j) add_pair(p, literals[i], literals[j]);
        }
    }

    constexpr void add_plan(int id, int first, int guards = 0) {
        d_.plan_of.items[id] = d_.plans.count;
        d_.plans.push_back({first, d_.literals.count - first, id, c_, guards});
    }
    [[nodiscard]] constexpr int literal(int p, int i) const { return d_.literals.items[d_.plans.items[p].first + i]; }

    [[nodiscard]] constexpr int find_pair(int left, int right) const {
        const int mask = pair_table_.count - 1;
        int place = (left * 37 + right * 5) & mask;
        for (; pair_table_.items[place] != 0; place = (place + 1) & mask) {
            const pair& q = pairs_.items[pair_table_.items[place]];
            if (q.left == left && q.right == right) break;
        }
        return place;
    }

    constexpr void add_pair(int p, int left, int right) {
        if (right < left) {
            const int t = left;
            left = right;
            right = t;
        }
        const int place = find_pair(left, right);
        int q = pair_table_.items[place];
        if (q == 0) {
            q = pairs_.count;
            pairs_.push_back({left, right, 1, links_.count});
            links_.push_back({p, -1});
            pair_table_.items[place] = q;
            if (2 * pairs_.count > pair_table_.count) {
                pair_table_ = list<int>(4 * pair_table_.count);
                for (int i = 1; i < pairs_.count; ++i)
                    pair_table_.items[find_pair(pairs_.items[i].left, pairs_.items[i].right)] = i;
            }
            return;
        }
        pair& found = pairs_.items[q];
        if (links_.items[found.occurrences].product == p) return;
        links_.push_back({p, found.occurrences});
        found.occurrences = links_.count - 1;
        if (++found.count == 2) frequent_.push_back(q);
    }

    // Where the two literals of pair q stand in product p; false where they no longer do.
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
        int count = 0, i = 0, j = 0;
        for (int l = pairs_.items[q].occurrences; l >= 0; l = links_.items[l].next)
            if (locate(q, links_.items[l].product, i, j)) ++count;
        return count;
    }

    // Puts node `id` in the place of the pair, in every product but its own.
    constexpr void replace_pair(int q, int id) {
        int i = 0, j = 0;
        for (int l = pairs_.items[q].occurrences; l >= 0; l = links_.items[l].next) {
            const int p = links_.items[l].product;
            if (d_.plans.items[p].id == id || !locate(q, p, i, j)) continue;
            plan& m = d_.plans.items[p];
            d_.literals.items[m.first + (i < j ? i : j)] = 2 * id;
            for (int k = (i < j ? j : i) + 1; k < m.count; ++k)
                d_.literals.items[m.first + k - 1] = d_.literals.items[m.first + k];
            --m.count;
            for (int k = 0; k < m.count; ++k)
                if (literal(p, k) != 2 * id) add_pair(p, literal(p, k), 2 * id);
        }
    }

    constexpr void extract_pairs() {
        for (int least : {8, 4, 3, 2}) {
            for (int f = 0; f < frequent_.count; ++f) {
                const int q = frequent_.items[f];
                if (pairs_.items[q].count < least) continue;
                const int count = count_occurrences(q);
                pairs_.items[q].count = count;
                if (count < least) continue;
                // A product that is just this pair lends its number.
                int id = -1, i = 0, j = 0;
                for (int l = pairs_.items[q].occurrences; l >= 0 && id < 0; l = links_.items[l].next) {
                    const plan& m = d_.plans.items[links_.items[l].product];
                    if (m.count == 2 && m.guards == 0 && locate(q, links_.items[l].product, i, j)) id = m.id;
                }
                if (id < 0) {
                    id = d_.plan_of.count;
                    d_.plan_of.push_back(-1);
                    const int first = d_.literals.count;
                    c_ = 0;
                    d_.literals.push_back(pairs_.items[q].left);
                    d_.literals.push_back(pairs_.items[q].right);
                    add_plan(id, first);
                }
                replace_pair(q, id);
                pairs_.items[q].count = 0;
            }
        }
    }
};

} // namespace chainrule::program
