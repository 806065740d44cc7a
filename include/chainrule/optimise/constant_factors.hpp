// SPDX-License-Identifier: BSL-1.0
//
// Places constant factors. A multiple of a sum or product of a derivative may be computed instead, so that the constant
// factors in its uses vanish or become equal: 200 * t and 400 * x * t cost less as s = 200 * t and 2 * (x * s). This
// pass chooses the multiples.
#pragma once

#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::optimise {

class scale_choice {
public:
    constexpr scale_choice(graph_data& g, shared_products& d, known_values& values, list<term>& outputs)
        : g_(g), coefficients_(g.coefficients), d_(d), v_(values), outputs_(outputs) {}

    /// Chooses the multiples, puts constant factors into products, and replaces the terms of sums and the outputs by
    /// the terms that are computed for them.
    constexpr void run() {
        const int asked = outputs_.count;
        for (int i = 0; i < g_.unasked.count; ++i) outputs_.push_back(g_.unasked.items[i]);
        scale_ = list<int>(d_.needed.count);
        for (int id = 0; id < d_.needed.count; ++id)
            if (d_.needed.items[id] && !v_.realized.items[id].is_zero())
                scale_.items[id] = coefficients_.over(0, v_.realized.items[id].c);
        find_uses();
        if (any_) choose();
        settle();
        outputs_.truncate(asked);
        replace_terms();
    }

private:
    struct use {
        int user = 0; // a sum or product, or -1 - (number of an output)
        int next = -1;
    };
    // Bounds the work per node: nodes with more uses and sums with more terms keep their scale.
    static constexpr int most_uses = 32;
    static constexpr int most_terms = 12;
    // Bounds the total work, since compilers limit the steps of an evaluation, clang to fewer than g++. After that, the
    // choice is not improved further.
#if defined(__clang__)
    static constexpr int most_effort = 5000;
#else
    static constexpr int most_effort = 20000;
#endif

    graph_data& g_;
    coefficient_table& coefficients_;
    shared_products& d_;
    known_values& v_;
    list<term>& outputs_;
    list<use> uses_;
    list<int> scale_;              // by node: the quotient of the computed term and the node
    list<int> heads_, use_counts_; // by node
    list<int> free_;               // sums and products whose scale can be chosen
    list<bool> active_;            // by node: whether the node or a use of it has a constant factor
    list<int> candidates_;
    int effort_ = 0;   // terms and literals inspected
    bool any_ = false; // whether there is a constant factor anywhere

    constexpr void choose() {
        for (int i = free_.count - 1; i >= 0; --i) pull(free_.items[i]);
        copy_scaled_atoms();
        // Users have greater numbers than their operands.
        for (int sweep = 0; sweep < 3; ++sweep) {
            bool changed = false;
            for (int i = free_.count - 1; i >= 0; --i) changed = improve(free_.items[i]) || changed;
            for (int i = 0; i < free_.count; ++i) changed = improve_with_users(free_.items[i]) || changed;
            if (!changed) break;
        }
    }

    [[nodiscard]] constexpr bool is_product(int id) const { return d_.plan_of.items[id] >= 0; }
    [[nodiscard]] constexpr int literal(int p, int i) const { return d_.literals.items[d_.plans.items[p].first + i]; }

    [[nodiscard]] constexpr bool is_sum_or_output(int user) const { return user < 0 || !is_product(user); }
    // The factor of a computed node in a sum or in an output.
    [[nodiscard]] constexpr int coefficient_in(int user, int id) {
        if (user < 0) return outputs_.items[-1 - user].c;
        int i = g_.nodes.items[user].a;
        while (g_.pool.items[i].id != id) ++i;
        return coefficients_.times(g_.pool.items[i].c, scale_.items[user]);
    }

    constexpr void add_use(int id, int user) {
        if (heads_.items[id] >= 0 && uses_.items[heads_.items[id]].user == user) return;
        ++use_counts_.items[id];
        uses_.push_back({user, heads_.items[id]});
        heads_.items[id] = uses_.count - 1;
    }
    constexpr void find_uses() {
        const int n = d_.needed.count;
        heads_ = list<int>(n, -1);
        use_counts_ = list<int>(n);
        active_ = list<bool>(n);
        for (int id = 0; id < n; ++id) {
            if (!d_.needed.items[id]) continue;
            if (is_product(id)) {
                const plan m = d_.plans.items[d_.plan_of.items[id]];
                bool constant = m.c > 1;
                for (int i = 0; i < m.count; ++i) {
                    const int factor = d_.literals.items[m.first + i] >> 1;
                    add_use(factor, id);
                    constant = constant || scale_.items[factor] > 1;
                }
                if (constant) activate(id);
            } else if (g_.nodes.items[id].what == kind::sum) {
                const node m = g_.nodes.items[id];
                bool constant = false;
                for (int i = 0; i < m.b; ++i) {
                    const term t = g_.pool.items[m.a + i];
                    if (t.id == graph_data::one) continue;
                    add_use(t.id, id);
                    constant = constant || t.c > 1 || scale_.items[t.id] > 1;
                }
                if (constant) activate(id);
            } else {
                continue;
            }
            if (!d_.as_written.items[id]) free_.push_back(id);
        }
        for (int i = 0; i < outputs_.count; ++i) {
            const term t = outputs_.items[i];
            if (t.is_zero() || t.id == graph_data::one) continue;
            add_use(t.id, -1 - i);
            if (t.c > 1 || scale_.items[t.id] > 1) any_ = active_.items[t.id] = true;
        }
    }
    // Marks a node with a constant factor, and its operands.
    constexpr void activate(int id) {
        any_ = active_.items[id] = true;
        if (is_product(id)) {
            const plan m = d_.plans.items[d_.plan_of.items[id]];
            for (int i = 0; i < m.count; ++i)
                if (d_.literals.items[m.first + i] >= 0) active_.items[d_.literals.items[m.first + i] >> 1] = true;
        } else {
            const node m = g_.nodes.items[id];
            for (int i = 0; i < m.b; ++i) active_.items[g_.pool.items[m.a + i].id] = true;
        }
    }
    constexpr void set_scale(int id, int scale) {
        if (scale_.items[id] == scale) return;
        scale_.items[id] = scale;
        activate(id);
        for (int u = heads_.items[id]; u >= 0; u = uses_.items[u].next)
            if (uses_.items[u].user >= 0) activate(uses_.items[u].user);
    }

    // Costs, in operations -------------------------------------------------------------------------------------------

    // The magnitude by which the computed numbers of a term are multiplied; zero for none.
    [[nodiscard]] constexpr int magnitude(int c, int id) {
        if (c > 1)
            for (int i = v_.scaled_heads.items[id]; i >= 0; i = v_.scaled.items[i].next)
                if ((v_.scaled.items[i].c >> 1) == (c >> 1)) return 0;
        return coefficients_.over(c, scale_.items[id]) >> 1;
    }
    // The product of the computed numbers of a plan's literals, divided by the product node.
    [[nodiscard]] constexpr int natural_scale(int p) {
        int c = coefficients_.over(0, d_.plans.items[p].c);
        const int* const literals = d_.literals.items + d_.plans.items[p].first;
        const int count = d_.plans.items[p].count;
        for (int i = 0; i < count; ++i) {
            const int l = literals[i];
            const int s = scale_.items[l >> 1];
            if (s != 0) c = (l & 1) != 0 ? coefficients_.over(c, s) : coefficients_.times(c, s);
        }
        return c;
    }
    // The constant factor that a product needs.
    [[nodiscard]] constexpr int missing_factor(int id) {
        return coefficients_.over(scale_.items[id], natural_scale(d_.plan_of.items[id]));
    }
    // A literal whose multiple by c is available, as `value`; or -1.
    [[nodiscard]] constexpr int scaled_literal(int p, int c, int& value) {
        for (int i = 0; i < d_.plans.items[p].count; ++i) {
            const int l = literal(p, i);
            if ((l & 1) != 0) continue;
            for (int k = v_.scaled_heads.items[l >> 1]; k >= 0; k = v_.scaled.items[k].next) {
                if (coefficients_.over(v_.scaled.items[k].c, scale_.items[l >> 1]) != c) continue;
                value = v_.scaled.items[k].id;
                return i;
            }
        }
        return -1;
    }
    [[nodiscard]] constexpr bool is_fused(int id) const { return is_product(id) && use_counts_.items[id] == 1; }

    [[nodiscard]] constexpr int cost(int user) {
        if (user < 0) return magnitude(outputs_.items[-1 - user].c, outputs_.items[-1 - user].id) != 0 ? 1 : 0;
        if (!is_product(user)) return cost_of_sum(user);
        effort_ += d_.plans.items[d_.plan_of.items[user]].count;
        const int missing = missing_factor(user) & ~1;
        int value = 0;
        return missing != 0 && scaled_literal(d_.plan_of.items[user], missing, value) < 0 ? 1 : 0;
    }
    // Each term of a group with one constant factor is one fused operation if the group can start with a single number;
    // the same holds for the whole sum.
    [[nodiscard]] constexpr int cost_of_sum(int id) {
        const node& m = g_.nodes.items[id];
        if (m.b > most_terms) return 0;
        effort_ += m.b;
        int magnitudes[most_terms] = {};
        bool starts[most_terms] = {};
        int groups = 0, total = 0;
        bool unit_start = false;
        for (int i = 0; i < m.b; ++i) {
            const term t = g_.pool.items[m.a + i];
            const bool is_one = t.id == graph_data::one;
            const int g = is_one ? 0 : magnitude(coefficients_.times(t.c, scale_.items[id]), t.id);
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
        for (int i = heads_.items[id]; i >= 0; i = uses_.items[i].next) total += cost(uses_.items[i].user);
        return total;
    }

    // Choices --------------------------------------------------------------------------------------------------------

    constexpr void add_candidate(int c) {
        c &= ~1;
        for (int i = 0; i < candidates_.count; ++i)
            if (candidates_.items[i] == c) return;
        candidates_.push_back(c);
    }
    // Scales at which a constant factor vanishes, in the node or in a use of it.
    constexpr void find_candidates(int id) {
        candidates_.truncate(0);
        if (is_product(id)) {
            const int p = d_.plan_of.items[id];
            const int natural = natural_scale(p);
            add_candidate(natural);
            for (int i = 0; i < d_.plans.items[p].count; ++i) {
                const int l = literal(p, i);
                if ((l & 1) != 0) continue;
                for (int k = v_.scaled_heads.items[l >> 1]; k >= 0; k = v_.scaled.items[k].next)
                    add_candidate(coefficients_.over(coefficients_.times(natural, v_.scaled.items[k].c), scale_.items[l >> 1]));
            }
        } else if (g_.nodes.items[id].b <= most_terms) {
            for (int i = 0; i < g_.nodes.items[id].b; ++i) {
                const term t = g_.pool.items[g_.nodes.items[id].a + i];
                if (t.id != graph_data::one) add_candidate(coefficients_.over(scale_.items[t.id], t.c));
            }
        }
        for (int u = heads_.items[id]; u >= 0; u = uses_.items[u].next) {
            const int user = uses_.items[u].user;
            if (!is_sum_or_output(user)) {
                const int missing = missing_factor(user);
                if ((missing >> 1) == 0) continue;
                const int p = d_.plan_of.items[user];
                for (int i = 0; i < d_.plans.items[p].count; ++i)
                    if ((literal(p, i) >> 1) == id)
                        add_candidate((literal(p, i) & 1) != 0 ? coefficients_.over(scale_.items[id], missing)
                                                               : coefficients_.times(scale_.items[id], missing));
            } else {
                if (user >= 0 && g_.nodes.items[user].b > most_terms) continue;
                const int own = coefficient_in(user, id);
                add_candidate(own);
                if (user < 0) continue;
                const node& m = g_.nodes.items[user];
                for (int i = 0; i < m.b; ++i) {
                    const term t = g_.pool.items[m.a + i];
                    if (t.id == id || t.id == graph_data::one) continue;
                    const int other = magnitude(coefficients_.times(t.c, scale_.items[user]), t.id);
                    if (other != 0) add_candidate(coefficients_.over(own, 2 * other));
                }
            }
        }
    }
    // A node with one use takes over the constant factor of this use, if that costs nothing: the factor may vanish
    // further down.
    constexpr void pull(int id) {
        if (!active_.items[id] || use_counts_.items[id] != 1) return;
        const int user = uses_.items[heads_.items[id]].user;
        int c = 0;
        if (is_sum_or_output(user)) {
            c = coefficient_in(user, id);
        } else {
            const int p = d_.plan_of.items[user];
            for (int i = 0; i < d_.plans.items[p].count; ++i)
                if (literal(p, i) == 2 * id) c = missing_factor(user);
        }
        if (c <= 1) return;
        const int before = cost_around(id);
        scale_.items[id] = c & ~1;
        const bool good = cost_around(id) <= before;
        scale_.items[id] = 0;
        if (good) set_scale(id, c & ~1);
    }
    constexpr bool improve(int id) {
        if (!active_.items[id] || use_counts_.items[id] > most_uses || effort_ > most_effort) return false;
        int best = cost_around(id);
        if (best == 0) return false;
        find_candidates(id);
        const int before = scale_.items[id];
        int choice = before;
        for (int i = 0; i < candidates_.count; ++i) {
            if (candidates_.items[i] == (before & ~1)) continue;
            scale_.items[id] = candidates_.items[i];
            const int c = cost_around(id);
            if (c >= best) continue;
            best = c;
            choice = candidates_.items[i];
        }
        scale_.items[id] = before;
        set_scale(id, choice);
        return choice != before;
    }

    // The same for a node together with those of its users that have one use.
    constexpr bool improve_with_users(int id) {
        if (!active_.items[id] || use_counts_.items[id] < 2 || use_counts_.items[id] > most_uses || effort_ > most_effort)
            return false;
        list<int> around;
        list<term> single; // users with one use, and their scales
        insert(around, id);
        for (int u = heads_.items[id]; u >= 0; u = uses_.items[u].next) {
            const int user = uses_.items[u].user;
            insert(around, user);
            if (user < 0 || use_counts_.items[user] != 1 || d_.as_written.items[user]) continue;
            single.push_back({scale_.items[user], user});
            insert(around, uses_.items[heads_.items[user]].user);
        }
        if (single.count == 0) return false;
        int best = cost_of(around);
        if (best == 0) return false;
        find_candidates(id);
        for (int i = 0; i < single.count; ++i) find_distant_candidates(id, single.items[i].id);
        list<int> candidates;
        candidates.swap(candidates_);
        const int before = scale_.items[id];
        bool improved = false;
        list<int> best_scales;
        for (int i = 0; i < candidates.count; ++i) {
            if (candidates.items[i] == (before & ~1)) continue;
            scale_.items[id] = candidates.items[i];
            for (int k = 0; k < single.count; ++k) (void)improve(single.items[k].id);
            if (const int c = cost_of(around); c < best) {
                best = c;
                improved = true;
                best_scales.truncate(0);
                best_scales.push_back(candidates.items[i]);
                for (int k = 0; k < single.count; ++k) best_scales.push_back(scale_.items[single.items[k].id]);
            }
            for (int k = 0; k < single.count; ++k) scale_.items[single.items[k].id] = single.items[k].c;
        }
        scale_.items[id] = before;
        if (!improved) return false;
        set_scale(id, best_scales.items[0]);
        for (int k = 0; k < single.count; ++k) set_scale(single.items[k].id, best_scales.items[k + 1]);
        return true;
    }
    static constexpr void insert(list<int>& set, int user) {
        for (int i = 0; i < set.count; ++i)
            if (set.items[i] == user) return;
        set.push_back(user);
    }
    [[nodiscard]] constexpr int cost_of(const list<int>& users) {
        int total = 0;
        for (int i = 0; i < users.count; ++i) total += cost(users.items[i]);
        return total;
    }
    // Scales of a factor at which a product needs no constant factor, neither itself nor in its one use.
    constexpr void find_distant_candidates(int id, int product) {
        if (!is_product(product)) return;
        const int user = uses_.items[heads_.items[product]].user;
        if (!is_sum_or_output(user)) return;
        const int c = coefficient_in(user, product);
        const int p = d_.plan_of.items[product];
        for (int i = 0; i < d_.plans.items[p].count; ++i)
            if (literal(p, i) == 2 * id)
                add_candidate(coefficients_.times(scale_.items[id], coefficients_.over(c, natural_scale(p))));
    }

    // A multiple of a value that occurs as a term is worth computing if products in other sums can use it too.
    constexpr void copy_scaled_atoms() {
        for (int f = 0; f < free_.count; ++f) {
            const int id = free_.items[f];
            if (!active_.items[id] || g_.nodes.items[id].what != kind::sum) continue;
            for (int i = 0; i < g_.nodes.items[id].b && i < most_terms; ++i)
                consider_copy(g_.pool.items[g_.nodes.items[id].a + i], scale_.items[id]);
        }
        if (free_.count != 0)
            for (int i = 0; i < outputs_.count; ++i) consider_copy(outputs_.items[i], 0);
    }
    constexpr void consider_copy(term t, int scale) {
        if (t.is_zero() || t.id == graph_data::one || g_.nodes.items[t.id].what >= kind::sum) return;
        const int c = coefficients_.times(t.c, scale) & ~1;
        if (use_counts_.items[t.id] > 1 && use_counts_.items[t.id] <= most_uses && magnitude(c, t.id) != 0) try_copy(c, t.id);
    }
    constexpr void try_copy(int c, int atom) {
        int before = 0, after = 1;
        for (int u = heads_.items[atom]; u >= 0; u = uses_.items[u].next)
            if (is_sum_or_output(uses_.items[u].user)) before += cost(uses_.items[u].user);
        const int mark = v_.scaled_heads.items[atom];
        v_.scaled.push_back({c, d_.plan_of.count, mark});
        v_.scaled_heads.items[atom] = v_.scaled.count - 1;
        for (int u = heads_.items[atom]; u >= 0; u = uses_.items[u].next)
            if (is_sum_or_output(uses_.items[u].user)) after += cost(uses_.items[u].user);
        list<term> undo;
        for (int u = heads_.items[atom]; u >= 0; u = uses_.items[u].next) {
            const int user = uses_.items[u].user;
            if (is_sum_or_output(user) || d_.as_written.items[user]) continue;
            const int old = scale_.items[user];
            const int cost_before = cost_around(user);
            before += cost_before;
            undo.push_back({old, user});
            (void)improve(user);
            after += cost_around(user);
        }
        if (after < before) {
            d_.plans.push_back({d_.literals.count, 2, d_.plan_of.count});
            d_.plan_of.push_back(d_.plans.count - 1);
            d_.literals.push_back(-1 - c);
            d_.literals.push_back(2 * atom);
            return;
        }
        v_.scaled_heads.items[atom] = mark;
        (void)v_.scaled.pop_back();
        for (int i = 0; i < undo.count; ++i) scale_.items[undo.items[i].id] = undo.items[i].c;
    }

    [[nodiscard]] constexpr bool has_negative_use(int id) {
        const int user = uses_.items[heads_.items[id]].user;
        return is_sum_or_output(user) && (coefficients_.over(coefficient_in(user, id), scale_.items[id]) & 1) != 0;
    }
    // Puts the missing factors into the products. The uses keep the sign, unless there is one use and a constant factor
    // that can take it.
    constexpr void settle() {
        for (int id = 0; id < d_.needed.count; ++id) {
            if (!d_.needed.items[id] || !is_product(id)) continue;
            const int p = d_.plan_of.items[id];
            int missing = missing_factor(id);
            if (missing == 0) continue;
            const bool exact = d_.as_written.items[id]; // an argument or arm, which must be computed with its sign
            if (!exact) {
                if ((missing & 1) != 0) {
                    scale_.items[id] ^= 1;
                    missing ^= 1;
                }
                if (missing == 0) continue;
                if (use_counts_.items[id] == 1 && has_negative_use(id)) {
                    scale_.items[id] ^= 1;
                    missing ^= 1;
                }
            }
            int value = 0;
            const int i = exact && (missing & 1) != 0 ? -1 : scaled_literal(p, missing & ~1, value);
            if (i >= 0) {
                if ((missing & 1) != 0) scale_.items[id] ^= 1;
                d_.literals.items[d_.plans.items[p].first + i] = 2 * value;
                continue;
            }
            const int guards = d_.plans.items[p].guards, first = d_.literals.count + guards;
            for (int k = -guards; k < d_.plans.items[p].count; ++k) d_.literals.push_back(literal(p, k));
            d_.literals.push_back(-1 - missing);
            d_.plans.items[p].first = first;
            ++d_.plans.items[p].count;
        }
    }

    // The term that is computed for a term: a value that exists already, or else a sum or product with its own scale.
    [[nodiscard]] constexpr term representative(term t) {
        if (t.c > 1)
            for (int i = v_.scaled_heads.items[t.id]; i >= 0; i = v_.scaled.items[i].next)
                if ((v_.scaled.items[i].c >> 1) == (t.c >> 1))
                    return {(v_.scaled.items[i].c ^ t.c) & 1, v_.scaled.items[i].id};
        const term r = v_.realized.items[t.id];
        return {coefficients_.over(t.c, scale_.items[t.id]), r.is_zero() ? t.id : r.id};
    }
    constexpr void replace_terms() {
        for (int id = 0; id < d_.needed.count; ++id) {
            const node& m = g_.nodes.items[id];
            if (m.what != kind::sum || !d_.needed.items[id]) continue;
            const int scale = scale_.items[id];
            for (int i = m.a; i < m.a + m.b; ++i) {
                term& t = g_.pool.items[i];
                if (scale != 0 || scale_.items[t.id] != 0 || v_.realized.items[t.id].id >= 0 || v_.scaled_heads.items[t.id] >= 0)
                    t = representative({coefficients_.times(t.c, scale), t.id});
            }
        }
        for (int i = 0; i < outputs_.count; ++i)
            if (!outputs_.items[i].is_zero()) outputs_.items[i] = representative(outputs_.items[i]);
    }
};

} // namespace chainrule::optimise
