// SPDX-License-Identifier: BSL-1.0
//
// Puts the chosen constant factors into products, and replaces terms by what is computed for them.
#pragma once

#include <chainrule/optimise/constant_factors/definition.hpp>

namespace chainrule::optimise {

constexpr bool constant_factor_placement::has_negative_use(int id) {
    const int user = uses_.items[heads_.items[id]].user;
    return is_sum_or_output(user) && !is_long_sum(user) &&
           (coefficients_.over(coefficient_in(user, id), scale_.items[id]) & 1) != 0;
}

// Whether a sum costs no more with the opposite sign: it has a negative term to start with.
constexpr bool constant_factor_placement::can_be_opposite(int id) {
    const node& m = g_.nodes.items[id];
    if (m.what != kind::sum || m.b > most_terms || use_counts_.items[id] != 1 || d_.as_written.items[id]) return false;
    for (int i = m.a; i < m.a + m.b; ++i) {
        const term t = g_.pool.items[i];
        const int sign = t.c ^ scale_.items[id] ^ scale_.items[t.id] ^ (is_product(t.id) ? missing_factor(t.id) : 0);
        if ((sign & 1) != 0) return true;
    }
    return false;
}

// Computes a - b instead of b - a where that saves the sign of an output.
constexpr void constant_factor_placement::place_sign_of(term output) {
    const int id = output.id;
    if (output.is_zero() || use_counts_.items[id] != 1 || v_.realized.items[id].id >= 0) return;
    if (!is_product(id)) {
        if (coefficients_.over(output.c, scale_.items[id]) == 1 && can_be_opposite(id)) scale_.items[id] ^= 1;
        return;
    }
    const int p = d_.factors_of.items[id], missing = missing_factor(id);
    if ((missing >> 1) != 0 || (coefficients_.over(output.c, scale_.items[id]) ^ missing) != 1) return;
    for (int i = 0; i < d_.factored.items[p].count; ++i) {
        const int l = literal(p, i);
        if (l < 0 || !can_be_opposite(l >> 1)) continue;
        scale_.items[l >> 1] ^= 1;
        return;
    }
}

// Puts the missing factors into the products. The uses keep the sign, unless there is one use and a constant factor
// that can take it.
constexpr void constant_factor_placement::fix_scale_of(int id) {
    if (!is_product(id)) return;
    const int p = d_.factors_of.items[id];
    int missing = missing_factor(id);
    if (missing == 0) return;
    const bool exact = d_.as_written.items[id]; // an argument or arm, which must be computed with its sign
    if (!exact) {
        if ((missing & 1) != 0) {
            scale_.items[id] ^= 1;
            missing ^= 1;
        }
        if (missing == 0) return;
        if (use_counts_.items[id] == 1 && has_negative_use(id)) {
            scale_.items[id] ^= 1;
            missing ^= 1;
        }
    }
    int value = 0;
    const int i = exact && (missing & 1) != 0 ? -1 : scaled_literal(p, missing & ~1, value);
    if (i >= 0) {
        if ((missing & 1) != 0) scale_.items[id] ^= 1;
        d_.literals.items[d_.factored.items[p].first + i] = 2 * value;
        return;
    }
    const int guards = d_.factored.items[p].guards, first = d_.literals.count + guards;
    for (int k = -guards; k < d_.factored.items[p].count; ++k) d_.literals.push_back(literal(p, k));
    d_.literals.push_back(-1 - missing);
    d_.factored.items[p].first = first;
    ++d_.factored.items[p].count;
}

// The term that is computed for a term of a user: a value that exists already and does not depend on the user, or else
// a sum or product with its own scale.
constexpr term constant_factor_placement::representative(term t, int user) {
    if (t.c > 1)
        for (int i = v_.scaled_heads.items[t.id]; i >= 0; i = v_.scaled.items[i].next, ++compared_)
            if ((v_.scaled.items[i].c >> 1) == (t.c >> 1) && !depends(v_.scaled.items[i].id, user))
                return {(v_.scaled.items[i].c ^ t.c) & 1, v_.scaled.items[i].id};
    const term r = v_.realized.items[t.id];
    return {coefficients_.over(t.c, scale_.items[t.id]), r.is_zero() ? t.id : r.id};
}

constexpr void constant_factor_placement::replace_terms(int id) {
    const node& m = g_.nodes.items[id];
    if (m.what != kind::sum) return;
    const int scale = scale_.items[id];
    for (int i = m.a; i < m.a + m.b; ++i) {
        term& t = g_.pool.items[i];
        if (scale != 0 || scale_.items[t.id] != 0 || v_.realized.items[t.id].id >= 0 ||
            v_.scaled_heads.items[t.id] >= 0)
            t = representative({coefficients_.times(t.c, scale), t.id}, id);
    }
}

} // namespace chainrule::optimise
