// SPDX-License-Identifier: BSL-1.0
//
// The choice of scales: candidates are scales at which a constant factor vanishes, in a node or in a use of it.
#pragma once

#include <chainrule/optimise/constant_factors/definition.hpp>

namespace chainrule::optimise {

constexpr void constant_factor_placement::choose() {
    settled_ = list<int>(d_.needed.count);
    tries_ = true; // nothing is settled yet
    for (int i = free_.count - 1; i >= 0; --i) pull(free_.items[i]);
    tries_ = false;
    copy_scaled_atoms();
    // Users have greater numbers than their operands.
    for (int sweep = 0; sweep < 3; ++sweep) {
        bool changed = false;
        for (int i = free_.count - 1; i >= 0; --i) {
            if ((settled_.items[free_.items[i]] & 1) != 0) continue;
            settled_.items[free_.items[i]] |= 1;
            changed = improve(free_.items[i]) || changed;
        }
        for (int i = 0; i < free_.count; ++i) {
            if ((settled_.items[free_.items[i]] & 2) != 0) continue;
            settled_.items[free_.items[i]] |= 2;
            changed = improve_with_users(free_.items[i]) || changed;
        }
        if (!changed) break;
    }
    for (int i = 0; i < free_.count; ++i) give_back(free_.items[i]);
}

constexpr void constant_factor_placement::add_candidate(int c) {
    c &= ~1;
    if (coefficients_.extreme(c)) return; // a few of these overflow or underflow
    for (int i = 0; i < candidates_.count; ++i)
        if (candidates_.items[i] == c) return;
    candidates_.push_back(c);
}

// Scales at which a constant factor vanishes, in the node or in a use of it.
constexpr void constant_factor_placement::find_candidates(int id) {
    candidates_.truncate(0);
    if (is_product(id)) {
        const int p = d_.factors_of.items[id];
        const int natural = natural_scale(p);
        add_candidate(natural);
        for (int i = 0; i < d_.factored.items[p].count; ++i) {
            const int l = literal(p, i);
            if ((l & 1) != 0) continue;
            for (int k = v_.scaled_heads.items[l >> 1]; k >= 0; k = v_.scaled.items[k].next)
                add_candidate(
                    coefficients_.over(coefficients_.times(natural, v_.scaled.items[k].c), scale_.items[l >> 1]));
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
            const int p = d_.factors_of.items[user];
            for (int i = 0; i < d_.factored.items[p].count; ++i)
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
constexpr void constant_factor_placement::pull(int id) {
    if (!active_.items[id] || use_counts_.items[id] != 1 || exhausted()) return;
    const int user = uses_.items[heads_.items[id]].user;
    int c = 0;
    if (is_sum_or_output(user)) {
        if (is_long_sum(user)) return;
        c = coefficient_in(user, id);
    } else {
        const int p = d_.factors_of.items[user];
        for (int i = 0; i < d_.factored.items[p].count; ++i)
            if (literal(p, i) == 2 * id) c = missing_factor(user);
    }
    if (c <= 1 || coefficients_.extreme(c)) return;
    const int before = cost_around(id);
    scale_.items[id] = c & ~1;
    const bool good = cost_around(id, before + 1) <= before;
    scale_.items[id] = 0;
    if (good) set_scale(id, c & ~1);
}

// A sum with one use, in a product, returns a constant factor that did not vanish further down: products share pairs of
// factors, constant ones too, while a sum multiplies by itself.
constexpr void constant_factor_placement::give_back(int id) {
    if (scale_.items[id] < 2 || use_counts_.items[id] != 1 || is_product(id) || exhausted()) return;
    if (is_sum_or_output(uses_.items[heads_.items[id]].user)) return;
    const int scale = scale_.items[id], before = cost_around(id);
    scale_.items[id] &= 1;
    if (cost_around(id, before + 1) > before) scale_.items[id] = scale;
}

constexpr bool constant_factor_placement::improve(int id) {
    if (!active_.items[id] || use_counts_.items[id] > most_uses || exhausted()) return false;
    int best = cost_around(id);
    if (best == 0) return false;
    find_candidates(id);
    const int before = scale_.items[id];
    int choice = before;
    for (int i = 0; i < candidates_.count && !exhausted(); ++i) {
        if (candidates_.items[i] == (before & ~1)) continue;
        scale_.items[id] = candidates_.items[i];
        const int c = cost_around(id, best);
        if (c >= best) continue;
        best = c;
        choice = candidates_.items[i];
    }
    scale_.items[id] = before;
    set_scale(id, choice);
    return choice != before;
}

// The same for a node together with those of its users that have one use.
constexpr bool constant_factor_placement::improve_with_users(int id) {
    if (!active_.items[id] || use_counts_.items[id] < 2 || use_counts_.items[id] > most_uses || exhausted())
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
    tries_ = true;
    for (int i = 0; i < candidates.count && !exhausted(); ++i) {
        if (candidates.items[i] == (before & ~1)) continue;
        scale_.items[id] = candidates.items[i];
        for (int k = 0; k < single.count; ++k) (void)improve(single.items[k].id);
        if (const int c = cost_of(around, best); c < best) {
            best = c;
            improved = true;
            best_scales.truncate(0);
            best_scales.push_back(candidates.items[i]);
            for (int k = 0; k < single.count; ++k) best_scales.push_back(scale_.items[single.items[k].id]);
        }
        for (int k = 0; k < single.count; ++k) scale_.items[single.items[k].id] = single.items[k].c;
    }
    tries_ = false;
    scale_.items[id] = before;
    if (!improved) return false;
    set_scale(id, best_scales.items[0]);
    for (int k = 0; k < single.count; ++k) set_scale(single.items[k].id, best_scales.items[k + 1]);
    return true;
}

// Scales of a factor at which a product needs no constant factor, neither itself nor in its one use.
constexpr void constant_factor_placement::find_distant_candidates(int id, int product) {
    if (!is_product(product)) return;
    const int user = uses_.items[heads_.items[product]].user;
    if (!is_sum_or_output(user)) return;
    const int c = coefficient_in(user, product);
    const int p = d_.factors_of.items[product];
    for (int i = 0; i < d_.factored.items[p].count; ++i)
        if (literal(p, i) == 2 * id)
            add_candidate(coefficients_.times(scale_.items[id], coefficients_.over(c, natural_scale(p))));
}

// A multiple of a value that occurs as a term is worth computing if products in other sums can use it too.
constexpr void constant_factor_placement::copy_scaled_atoms() {
    for (int f = 0; f < free_.count; ++f) {
        const int id = free_.items[f];
        if (!active_.items[id] || g_.nodes.items[id].what != kind::sum) continue;
        for (int i = 0; i < g_.nodes.items[id].b && i < most_terms; ++i)
            consider_copy(g_.pool.items[g_.nodes.items[id].a + i], scale_.items[id]);
    }
    if (free_.count != 0)
        for (int i = 0; i < outputs_.count; ++i) consider_copy(outputs_.items[i], 0);
}

constexpr void constant_factor_placement::consider_copy(term t, int scale) {
    if (exhausted() || t.is_zero() || t.id == graph_data::one || g_.nodes.items[t.id].what >= kind::sum) return;
    const int c = coefficients_.times(t.c, scale) & ~1;
    if (copying_ > 2 * most_effort_ || use_counts_.items[t.id] < 2 || use_counts_.items[t.id] > most_uses) return;
    if (magnitude(c, t.id) == 0) return;
    const int before = effort_;
    try_copy(c, t.id);
    // The products of irrational coefficients take long.
    copying_ += (coefficients_.value(scale).denominator == 0 ? 10 : 1) * (effort_ - before);
}

constexpr void constant_factor_placement::try_copy(int c, int atom) {
    int before = 0, after = 1;
    for (int u = heads_.items[atom]; u >= 0; u = uses_.items[u].next)
        if (is_sum_or_output(uses_.items[u].user)) before += cost(uses_.items[u].user);
    const int mark = v_.scaled_heads.items[atom];
    v_.scaled.push_back({c, d_.factors_of.count, mark});
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
        d_.add_pair(-1 - c, 2 * atom);
        return;
    }
    v_.scaled_heads.items[atom] = mark;
    (void)v_.scaled.pop_back();
    for (int i = 0; i < undo.count; ++i) scale_.items[undo.items[i].id] = undo.items[i].c;
}

} // namespace chainrule::optimise
