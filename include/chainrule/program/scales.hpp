// SPDX-License-Identifier: BSL-1.0
//
// Where do constant factors go? A sum or product of a derivative may be computed as a multiple of itself, so that the
// constants that its uses would multiply by vanish or become equal: 200 * t and 400 * x * t cost less as s = 200 * t and
// 2 * (x * s). This stage chooses those multiples. program/products.hpp asks for it and uses what it chose.
#pragma once

#include <chainrule/program/graph.hpp>

namespace chainrule::program {

/// A run in the list of literals: the product of these literals, which is the product node divided by c.
struct plan {
    int first = 0;
    int count = 0;
    int c = 0;
};

/// A value node that equals a node times a coefficient; a list per node.
struct scaled_value {
    int c = 0;
    int id = 0;
    int next = -1;
};

/// How each product is to be multiplied out. A literal is a node or its reciprocal, 2 * id + (1 if reciprocal), or, where
/// it is negative, the coefficient number -1 - literal. Extracted pairs have numbers after the graph's nodes.
struct shared_products {
    list<bool> needed;       // by node
    list<bool> as_written;   // by node: needed as a value
    list<term> realized;     // by product: the term of a value node that equals it
    list<int> scale;         // by node: what is computed, divided by the node
    list<int> scaled_heads;  // by node: value nodes that equal a multiple of it
    list<scaled_value> scaled;
    list<int> plan_of;       // by node: index into plans, or -1
    list<plan> plans;
    list<int> literals;
};

class scale_choice {
public:
    constexpr scale_choice(graph_data& g, shared_products& d, const list<term>& outputs)
        : g_(g), coefficients_(g.coefficients), d_(d), outputs_(outputs) {}

    constexpr void run() {
        find_uses();
        for (int i = free_.size() - 1; i >= 0; --i) pull(free_[i]);
        copy_scaled_atoms();
        // Users have greater numbers than what they use.
        for (int sweep = 0; sweep < 3; ++sweep) {
            bool changed = false;
            for (int i = free_.size() - 1; i >= 0; --i) changed = improve(free_[i]) || changed;
            for (int i = 0; i < free_.size(); ++i) changed = improve_with_users(free_[i]) || changed;
            if (!changed) break;
        }
        settle();
    }

private:
    struct use {
        int user = 0; // a sum or product, or -1 - (number of an output)
        int next = -1;
    };
    // The optimiser's work per node is bounded: nodes with more uses, sums with more terms keep their scale.
    static constexpr int most_uses = 32;
    static constexpr int most_terms = 12;

    graph_data& g_;
    coefficient_table& coefficients_;
    shared_products& d_;
    const list<term>& outputs_;
    list<use> uses_;
    list<int> heads_, use_counts_; // by node
    list<int> free_;               // sums and products whose scale can be chosen
    list<int> candidates_;

    [[nodiscard]] constexpr bool is_product(int id) const { return d_.plan_of[id] >= 0; }
    [[nodiscard]] constexpr int literal(int p, int i) const { return d_.literals[d_.plans[p].first + i]; }

    constexpr void add_use(int id, int user) {
        if (heads_[id] >= 0 && uses_[heads_[id]].user == user) return;
        ++use_counts_[id];
        uses_.push_back({user, heads_[id]});
        heads_[id] = uses_.size() - 1;
    }
    constexpr void find_uses() {
        const int n = d_.needed.size();
        heads_ = list<int>(n, -1);
        use_counts_ = list<int>(n, 0);
        bool any = false; // whether there is any constant factor at all
        for (int id = 0; id < n; ++id) {
            if (!d_.needed[id]) continue;
            if (is_product(id)) {
                const int p = d_.plan_of[id];
                for (int i = 0; i < d_.plans[p].count; ++i) add_use(literal(p, i) >> 1, id);
                any = any || d_.plans[p].c > 1;
            } else if (g_[id].what == kind::sum) {
                for (int i = 0; i < g_[id].b; ++i) {
                    const term t = g_.pool[g_[id].a + i];
                    if (t.id == graph_data::one) continue;
                    add_use(t.id, id);
                    any = any || t.c > 1;
                }
            } else {
                continue;
            }
            if (!d_.as_written[id]) free_.push_back(id);
        }
        for (int i = 0; i < outputs_.size(); ++i) {
            if (outputs_[i].is_zero() || outputs_[i].id == graph_data::one) continue;
            add_use(outputs_[i].id, -1 - i);
            any = any || outputs_[i].c > 1;
        }
        if (!any) free_.truncate(0);
    }

    // Costs, in operations -------------------------------------------------------------------------------------------

    // What the computed numbers of a term have to be multiplied by: a magnitude, zero for none.
    [[nodiscard]] constexpr int magnitude(int c, int id) {
        if (c > 1)
            for (int i = d_.scaled_heads[id]; i >= 0; i = d_.scaled[i].next)
                if ((d_.scaled[i].c >> 1) == (c >> 1)) return 0;
        return coefficients_.over(c, d_.scale[id]) >> 1;
    }
    // The product of the computed numbers of a plan's literals, divided by the product node.
    [[nodiscard]] constexpr int natural_scale(int p) {
        int c = coefficients_.over(0, d_.plans[p].c);
        for (int i = 0; i < d_.plans[p].count; ++i) {
            const int l = literal(p, i);
            const int s = d_.scale[l >> 1];
            if (s != 0) c = (l & 1) != 0 ? coefficients_.over(c, s) : coefficients_.times(c, s);
        }
        return c;
    }
    // The constant factor that a product needs.
    [[nodiscard]] constexpr int missing_factor(int id) {
        return coefficients_.over(d_.scale[id], natural_scale(d_.plan_of[id]));
    }
    // A literal of which the multiple by c is there, or -1; then `value` is that.
    [[nodiscard]] constexpr int scaled_literal(int p, int c, int& value) {
        for (int i = 0; i < d_.plans[p].count; ++i) {
            const int l = literal(p, i);
            if ((l & 1) != 0) continue;
            for (int k = d_.scaled_heads[l >> 1]; k >= 0; k = d_.scaled[k].next) {
                if (coefficients_.over(d_.scaled[k].c, d_.scale[l >> 1]) != c) continue;
                value = d_.scaled[k].id;
                return i;
            }
        }
        return -1;
    }
    [[nodiscard]] constexpr bool is_fused(int id) const { return is_product(id) && use_counts_[id] == 1; }

    [[nodiscard]] constexpr int cost(int user) {
        if (user < 0) return magnitude(outputs_[-1 - user].c, outputs_[-1 - user].id) != 0 ? 1 : 0;
        if (!is_product(user)) return cost_of_sum(user);
        const int missing = missing_factor(user) & ~1;
        int value = 0;
        return missing != 0 && scaled_literal(d_.plan_of[user], missing, value) < 0 ? 1 : 0;
    }
    // A group of terms with one constant factor is one fused operation each if it can start with a single number, and
    // so is the whole sum.
    [[nodiscard]] constexpr int cost_of_sum(int id) {
        const node& m = g_[id];
        if (m.b > most_terms) return 0;
        int magnitudes[most_terms] = {};
        bool starts[most_terms] = {};
        int groups = 0, total = 0;
        bool unit_start = false;
        for (int i = 0; i < m.b; ++i) {
            const term t = g_.pool[m.a + i];
            const bool is_one = t.id == graph_data::one;
            const int g = is_one ? 0 : magnitude(coefficients_.times(t.c, d_.scale[id]), t.id);
            const bool single = is_one || !is_fused(t.id);
            if (g == 0) {
                unit_start = unit_start || single;
                continue;
            }
            int k = 0;
            while (k < groups && magnitudes[k] != g) ++k;
            if (k == groups) {
                magnitudes[groups++] = g;
                ++total;
            }
            if (single && !starts[k]) {
                starts[k] = true;
                --total;
            }
        }
        return total + (unit_start ? 0 : 1);
    }
    [[nodiscard]] constexpr int cost_around(int id) {
        int total = cost(id);
        for (int i = heads_[id]; i >= 0; i = uses_[i].next) total += cost(uses_[i].user);
        return total;
    }

    // Choices --------------------------------------------------------------------------------------------------------

    constexpr void add_candidate(int c) {
        c &= ~1;
        for (int i = 0; i < candidates_.size(); ++i)
            if (candidates_[i] == c) return;
        candidates_.push_back(c);
    }
    // Scales at which a constant factor vanishes, in the node or in a use of it.
    constexpr void find_candidates(int id) {
        candidates_.truncate(0);
        if (is_product(id)) {
            const int p = d_.plan_of[id];
            const int natural = natural_scale(p);
            add_candidate(natural);
            for (int i = 0; i < d_.plans[p].count; ++i) {
                const int l = literal(p, i);
                if ((l & 1) != 0) continue;
                for (int k = d_.scaled_heads[l >> 1]; k >= 0; k = d_.scaled[k].next)
                    add_candidate(coefficients_.over(coefficients_.times(natural, d_.scaled[k].c), d_.scale[l >> 1]));
            }
        } else if (g_[id].b <= most_terms) {
            for (int i = 0; i < g_[id].b; ++i) {
                const term t = g_.pool[g_[id].a + i];
                if (t.id != graph_data::one) add_candidate(coefficients_.over(d_.scale[t.id], t.c));
            }
        }
        for (int u = heads_[id]; u >= 0; u = uses_[u].next) {
            const int user = uses_[u].user;
            if (user < 0) {
                add_candidate(outputs_[-1 - user].c);
            } else if (is_product(user)) {
                const int missing = missing_factor(user);
                if ((missing >> 1) == 0) continue;
                const int p = d_.plan_of[user];
                for (int i = 0; i < d_.plans[p].count; ++i)
                    if ((literal(p, i) >> 1) == id)
                        add_candidate((literal(p, i) & 1) != 0 ? coefficients_.over(d_.scale[id], missing)
                                                               : coefficients_.times(d_.scale[id], missing));
            } else {
                const node& m = g_[user];
                if (m.b > most_terms) continue;
                int own = 0;
                for (int i = 0; i < m.b; ++i)
                    if (g_.pool[m.a + i].id == id) own = coefficients_.times(g_.pool[m.a + i].c, d_.scale[user]);
                add_candidate(own);
                for (int i = 0; i < m.b; ++i) {
                    const term t = g_.pool[m.a + i];
                    if (t.id == id || t.id == graph_data::one) continue;
                    const int other = magnitude(coefficients_.times(t.c, d_.scale[user]), t.id);
                    if (other != 0) add_candidate(coefficients_.over(own, 2 * other));
                }
            }
        }
    }
    // A node with one use takes that use's constant factor, where this costs nothing: the factor may vanish further down.
    constexpr void pull(int id) {
        if (use_counts_[id] != 1) return;
        const int user = uses_[heads_[id]].user;
        int c = 0;
        if (user < 0) {
            c = outputs_[-1 - user].c;
        } else if (is_product(user)) {
            const int p = d_.plan_of[user];
            for (int i = 0; i < d_.plans[p].count; ++i)
                if (literal(p, i) == 2 * id) c = missing_factor(user);
        } else {
            for (int i = 0; i < g_[user].b; ++i)
                if (g_.pool[g_[user].a + i].id == id) c = coefficients_.times(g_.pool[g_[user].a + i].c, d_.scale[user]);
        }
        if (c <= 1) return;
        const int before = cost_around(id);
        d_.scale[id] = c & ~1;
        if (cost_around(id) > before) d_.scale[id] = 0;
    }
    constexpr bool improve(int id) {
        if (use_counts_[id] > most_uses) return false;
        int best = cost_around(id);
        if (best == 0) return false;
        find_candidates(id);
        const int before = d_.scale[id];
        int choice = before;
        for (int i = 0; i < candidates_.size(); ++i) {
            if (candidates_[i] == (before & ~1)) continue;
            d_.scale[id] = candidates_[i];
            const int c = cost_around(id);
            if (c >= best) continue;
            best = c;
            choice = candidates_[i];
        }
        d_.scale[id] = choice;
        return choice != before;
    }

    // The same, for a node and those of its users that have one use, together.
    constexpr bool improve_with_users(int id) {
        if (use_counts_[id] < 2 || use_counts_[id] > most_uses) return false;
        list<int> around;
        list<term> single; // users of one use with their scales
        insert(around, id);
        for (int u = heads_[id]; u >= 0; u = uses_[u].next) {
            const int user = uses_[u].user;
            insert(around, user);
            if (user < 0 || use_counts_[user] != 1 || d_.as_written[user]) continue;
            single.push_back({d_.scale[user], user});
            insert(around, uses_[heads_[user]].user);
        }
        if (single.empty()) return false;
        int best = cost_of(around);
        if (best == 0) return false;
        find_candidates(id);
        for (int i = 0; i < single.size(); ++i) find_distant_candidates(id, single[i].id);
        list<int> candidates;
        candidates.swap(candidates_);
        const int before = d_.scale[id];
        bool improved = false;
        list<int> best_scales;
        for (int i = 0; i < candidates.size(); ++i) {
            if (candidates[i] == (before & ~1)) continue;
            d_.scale[id] = candidates[i];
            for (int k = 0; k < single.size(); ++k) (void)improve(single[k].id);
            if (const int c = cost_of(around); c < best) {
                best = c;
                improved = true;
                best_scales.truncate(0);
                best_scales.push_back(candidates[i]);
                for (int k = 0; k < single.size(); ++k) best_scales.push_back(d_.scale[single[k].id]);
            }
            for (int k = 0; k < single.size(); ++k) d_.scale[single[k].id] = single[k].c;
        }
        d_.scale[id] = improved ? best_scales[0] : before;
        for (int k = 0; improved && k < single.size(); ++k) d_.scale[single[k].id] = best_scales[k + 1];
        return improved;
    }
    static constexpr void insert(list<int>& set, int user) {
        for (int i = 0; i < set.size(); ++i)
            if (set[i] == user) return;
        set.push_back(user);
    }
    [[nodiscard]] constexpr int cost_of(const list<int>& users) {
        int total = 0;
        for (int i = 0; i < users.size(); ++i) total += cost(users[i]);
        return total;
    }
    // Scales of a factor at which a product needs no constant factor, neither itself nor in its one use.
    constexpr void find_distant_candidates(int id, int product) {
        if (!is_product(product)) return;
        const int user = uses_[heads_[product]].user;
        int c = -1;
        if (user < 0) {
            c = outputs_[-1 - user].c;
        } else if (!is_product(user)) {
            for (int i = 0; i < g_[user].b; ++i)
                if (g_.pool[g_[user].a + i].id == product) c = coefficients_.times(g_.pool[g_[user].a + i].c, d_.scale[user]);
        }
        const int p = d_.plan_of[product];
        for (int i = 0; c >= 0 && i < d_.plans[p].count; ++i)
            if (literal(p, i) == 2 * id)
                add_candidate(coefficients_.times(d_.scale[id], coefficients_.over(c, natural_scale(p))));
    }

    // A multiple of a value that occurs as a term is worth computing if products in other sums can use it, too.
    constexpr void copy_scaled_atoms() {
        for (int f = 0; f < free_.size(); ++f) {
            const int id = free_[f];
            if (g_[id].what != kind::sum) continue;
            for (int i = 0; i < g_[id].b && i < most_terms; ++i)
                consider_copy(g_.pool[g_[id].a + i], d_.scale[id]);
        }
        if (!free_.empty())
            for (int i = 0; i < outputs_.size(); ++i) consider_copy(outputs_[i], 0);
    }
    constexpr void consider_copy(term t, int scale) {
        if (t.is_zero() || t.id == graph_data::one || g_[t.id].what >= kind::sum) return;
        const int c = coefficients_.times(t.c, scale) & ~1;
        if (use_counts_[t.id] > 1 && use_counts_[t.id] <= most_uses && magnitude(c, t.id) != 0) try_copy(c, t.id);
    }
    constexpr void try_copy(int c, int atom) {
        int before = 0, after = 1;
        for (int u = heads_[atom]; u >= 0; u = uses_[u].next)
            if (uses_[u].user < 0 || !is_product(uses_[u].user)) before += cost(uses_[u].user);
        const int mark = d_.scaled_heads[atom];
        d_.scaled.push_back({c, d_.plan_of.size(), mark});
        d_.scaled_heads[atom] = d_.scaled.size() - 1;
        for (int u = heads_[atom]; u >= 0; u = uses_[u].next)
            if (uses_[u].user < 0 || !is_product(uses_[u].user)) after += cost(uses_[u].user);
        list<term> undo;
        for (int u = heads_[atom]; u >= 0; u = uses_[u].next) {
            const int user = uses_[u].user;
            if (user < 0 || !is_product(user) || d_.as_written[user]) continue;
            const int old = d_.scale[user];
            const int cost_before = cost_around(user);
            before += cost_before;
            undo.push_back({old, user});
            (void)improve(user);
            after += cost_around(user);
        }
        if (after < before) {
            d_.plan_of.push_back(d_.plans.size());
            d_.plans.push_back({d_.literals.size(), 2, 0});
            d_.literals.push_back(-1 - c);
            d_.literals.push_back(2 * atom);
            return;
        }
        d_.scaled_heads[atom] = mark;
        (void)d_.scaled.pop_back();
        for (int i = 0; i < undo.size(); ++i) d_.scale[undo[i].id] = undo[i].c;
    }

    [[nodiscard]] constexpr bool has_negative_use(int id) {
        const int user = uses_[heads_[id]].user;
        if (user < 0) return (coefficients_.over(outputs_[-1 - user].c, d_.scale[id]) & 1) != 0;
        if (is_product(user)) return false;
        for (int i = 0; i < g_[user].b; ++i) {
            const term t = g_.pool[g_[user].a + i];
            if (t.id == id)
                return (coefficients_.over(coefficients_.times(t.c, d_.scale[user]), d_.scale[id]) & 1) != 0;
        }
        return false;
    }
    // Puts the missing factors into the products. A sign is left to the uses, except where there is one use and a
    // constant factor to carry it.
    constexpr void settle() {
        for (int id = 0; id < d_.needed.size(); ++id) {
            if (!d_.needed[id] || !is_product(id)) continue;
            const int p = d_.plan_of[id];
            int missing = missing_factor(id);
            if (missing == 0) continue;
            if ((missing & 1) != 0) {
                d_.scale[id] ^= 1;
                missing ^= 1;
            }
            if (missing == 0) continue;
            if (use_counts_[id] == 1 && has_negative_use(id)) {
                d_.scale[id] ^= 1;
                missing ^= 1;
            }
            int value = 0;
            if (const int i = scaled_literal(p, missing & ~1, value); i >= 0) {
                if ((missing & 1) != 0) d_.scale[id] ^= 1;
                d_.literals[d_.plans[p].first + i] = 2 * value;
                d_.plans[p].c = 0;
                continue;
            }
            const int first = d_.literals.size();
            for (int i = 0; i < d_.plans[p].count; ++i) d_.literals.push_back(literal(p, i));
            d_.literals.push_back(-1 - missing);
            d_.plans[p].first = first;
            ++d_.plans[p].count;
        }
    }
};

} // namespace chainrule::program
