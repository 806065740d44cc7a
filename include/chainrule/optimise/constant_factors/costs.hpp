// SPDX-License-Identifier: BSL-1.0
//
// The operations that constant factors cost, in a node and in its uses, for the scales that are chosen so far.
#pragma once

#include <chainrule/optimise/constant_factors/definition.hpp>

namespace chainrule::optimise {

// The magnitude by which the computed numbers of a term are multiplied; zero for none.
constexpr int constant_factor_placement::magnitude(int c, int id) {
    if (c > 1)
        for (int i = v_.scaled_heads.items[id]; i >= 0; i = v_.scaled.items[i].next)
            if ((v_.scaled.items[i].c >> 1) == (c >> 1)) return 0;
    return coefficients_.over(c, scale_.items[id]) >> 1;
}

// The product of the computed numbers of a product's literals, divided by the product node.
constexpr int constant_factor_placement::natural_scale(int p) {
    int c = d_.factored.items[p].c;
    if (c > 1) c = coefficients_.over(0, c);
    const int* const literals = d_.literals.items + d_.factored.items[p].first;
    const int count = d_.factored.items[p].count;
    for (int i = 0; i < count; ++i) {
        const int l = literals[i];
        const int s = scale_.items[l >> 1];
        if (s != 0) c = (l & 1) != 0 ? coefficients_.over(c, s) : coefficients_.times(c, s);
    }
    return c;
}

// The constant factor that a product needs.
constexpr int constant_factor_placement::missing_factor(int id) {
    const int natural = natural_scale(d_.factors_of.items[id]);
    return natural > 1 ? coefficients_.over(scale_.items[id], natural) : scale_.items[id] ^ natural;
}

// A literal whose multiple by c is available, as `value`; or -1.
constexpr int constant_factor_placement::scaled_literal(int p, int c, int& value) {
    for (int i = 0; i < d_.factored.items[p].count; ++i) {
        const int l = literal(p, i);
        if ((l & 1) != 0) continue;
        for (int k = v_.scaled_heads.items[l >> 1]; k >= 0; k = v_.scaled.items[k].next) {
            if (coefficients_.over(v_.scaled.items[k].c, scale_.items[l >> 1]) != c) continue;
            if (depends(v_.scaled.items[k].id, d_.factored.items[p].id)) continue;
            value = v_.scaled.items[k].id;
            return i;
        }
    }
    return -1;
}

constexpr int constant_factor_placement::cost(int user) {
    if (user < 0) return magnitude(outputs_.items[-1 - user].c, outputs_.items[-1 - user].id) != 0 ? 1 : 0;
    if (!is_product(user)) return cost_of_sum(user);
    effort_ += d_.factored.items[d_.factors_of.items[user]].count;
    const int missing = missing_factor(user) & ~1;
    int value = 0;
    return missing != 0 && scaled_literal(d_.factors_of.items[user], missing, value) < 0 ? 1 : 0;
}

// Each term of a group with one constant factor is one fused operation if the group can start with a single number;
// the same holds for the whole sum, where it has one.
constexpr int constant_factor_placement::cost_of_sum(int id) {
    const node& m = g_.nodes.items[id];
    if (m.b > most_terms) return 0;
    effort_ += m.b;
    const int scale = scale_.items[id];
    int groups = 0, total = 0;
    bool unit_start = false, has_single = false;
    for (int i = m.a, end = m.a + m.b; i < end; ++i) {
        const term t = g_.pool.items[i];
        const int g = t.id == graph_data::one || (t.c | scale | scale_.items[t.id]) <= 1
                          ? 0
                          : magnitude(coefficients_.times(t.c, scale), t.id);
        if (g == 0) {
            if (!unit_start) unit_start = !is_fused(t.id);
            continue;
        }
        const bool single = !is_fused(t.id);
        has_single = has_single || single;
        int k = 0;
        while (k < groups && group_magnitudes_[k] != g) ++k;
        if (k == groups) {
            group_magnitudes_[groups] = g;
            group_starts_[groups++] = single;
            if (!single) ++total;
        } else if (single && !group_starts_[k]) {
            group_starts_[k] = true;
            --total;
        }
    }
    return unit_start || !has_single ? total : total + 1;
}

// The costs are not counted further than up to `most`.
constexpr int constant_factor_placement::cost_around(int id, int most) {
    int total = cost(id);
    for (int i = heads_.items[id]; i >= 0 && total < most; i = uses_.items[i].next) total += cost(uses_.items[i].user);
    return total;
}

constexpr int constant_factor_placement::cost_of(const list<int>& users, int most) {
    int total = 0;
    for (int i = 0; i < users.count && total < most; ++i) total += cost(users.items[i]);
    return total;
}

} // namespace chainrule::optimise
