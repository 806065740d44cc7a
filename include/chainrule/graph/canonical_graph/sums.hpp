// SPDX-License-Identifier: BSL-1.0
//
// The sums of derivatives: lists of products with exact coefficients. Like terms are collected and common factors
// factored out when a sum is built.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>

namespace chainrule::graph {

constexpr term canonical_graph::sum_since(int bottom, bool result) {
    collect_like_terms(bottom);
    const int count = scratch_.count - bottom;
    if (count == 0) return zero_term;
    if (count == 1) return scratch_.pop_back();
    if (conditional_ && join_guarded_terms(bottom)) return sum_since(bottom, result);
    const int top = scratch_.count;
    if (push_common_factors(bottom)) {
        divide_terms(bottom, top);
        const term common = pooled_product(top);
        return multiply(common, sum_since(bottom));
    }
    if (conditional_ && join_opposite_terms(bottom)) return sum_since(bottom, result);
    const bool could_replace = forms_.could_replace(count);
    if (could_replace && replace_linear_form(bottom)) return sum_since(bottom, result);
    if ((could_replace || (result && count >= 4)) && factor_out(bottom, result)) return sum_since(bottom, result);
    const int scale = common_scale(bottom);
    if (scale != 0)
        for (int i = bottom; i < scratch_.count; ++i) scratch_.items[i].c = over(scratch_.items[i].c, scale);
    if (count == 2 && value_count_ > 0 && !relaxing_)
        if (const term written = written_sum(bottom); !written.is_zero()) {
            scratch_.truncate(bottom);
            return {times(scale, written.c), written.id};
        }
    return {scale, intern_pooled(kind::sum, bottom)};
}

constexpr term canonical_graph::add(term s, term t) {
    const int bottom = mark();
    push_term(s);
    push_term(t);
    return sum_since(bottom);
}

constexpr int canonical_graph::node_of(term t) {
    if (t.is_zero()) return constant(coefficient(0));
    if (t.c == 1) { // the opposite of an opposite
        const node& n = nodes.items[t.id];
        if (n.what == kind::negate) return n.a;
        if (n.what == kind::sum && n.b == 1) t = -pool.items[n.a];
    }
    if (t.c == 0) return t.id;
    if (t.id == one) return constant(value(t.c));
    return sum_of_one(t);
}

constexpr int canonical_graph::sum_of_one(term t) {
    const int bottom = mark();
    scratch_.push_back(t);
    return intern_pooled(kind::sum, bottom);
}

constexpr void canonical_graph::collect_since(int bottom, list<term>& terms) {
    collect_like_terms(bottom);
    for (int i = bottom; i < scratch_.count; ++i) terms.push_back(scratch_.items[i]);
    scratch_.truncate(bottom);
}

constexpr term canonical_graph::plain_sum(const term* terms, int count) {
    if (count < 2) return count == 0 ? zero_term : *terms;
    const int bottom = mark();
    for (int i = 0; i < count; ++i) scratch_.push_back(terms[i]);
    return {0, intern_pooled(kind::sum, bottom)};
}

constexpr void canonical_graph::record_linear_forms(int n) {
    value_count_ = n;
    written_sums sums(*this, n);
    forms_ = linear_forms(n);
    for (int id = 0; id < n; ++id) {
        if (nodes.items[id].what != kind::sum && nodes.items[id].what != kind::add &&
            nodes.items[id].what != kind::subtract)
            continue;
        const int bottom = scratch_.count;
        if (nodes.items[id].what == kind::sum) { // of relaxed values
            for (int i = 0; i < nodes.items[id].b; ++i) scratch_.push_back(pool.items[nodes.items[id].a + i]);
        } else {
            if (!sums.expand(id) || !push_written_terms(sums.leaves)) continue;
        }
        forms_.note(id, scratch_, bottom, coefficients);
        scratch_.truncate(bottom);
    }
}

// Pushes the terms of a written sum, like terms collected. False, and nothing is pushed, if some cancel, or factors of
// one: a sum that is written as (a + b + 1e20) - 1e20 has no digits of a + b.
constexpr bool canonical_graph::push_written_terms(const list<term>& leaves) {
    const int bottom = scratch_.count;
    bool cancel = false;
    for (int i = 0; i < leaves.count && !cancel; ++i) {
        const term t = canonical(leaves.items[i]);
        cancel = t.is_zero() ? !is_zero(leaves.items[i].id) : cancels(leaves.items[i].id);
        push_term(t);
    }
    const int count = scratch_.count;
    if (!cancel) collect_like_terms(bottom);
    if (!cancel && scratch_.count < count) { // a term of the other sign than the total?
        for (int i = bottom; i < scratch_.count; ++i) position_.items[scratch_.items[i].id] = i + 1;
        for (int i = 0; i < leaves.count; ++i)
            if (const term t = canonical(leaves.items[i]); !t.is_zero()) {
                const int place = position_.items[t.id] - 1;
                cancel = cancel || place < 0 || value(scratch_.items[place].c).negative() != value(t.c).negative();
            }
        for (int i = bottom; i < scratch_.count; ++i) position_.items[scratch_.items[i].id] = 0;
    }
    if (cancel) scratch_.truncate(bottom);
    return !cancel;
}

constexpr void canonical_graph::make_positions() {
    if (position_.count < size()) position_.resize(size() + size() / 2, 0);
}

constexpr bool canonical_graph::replace_linear_form(int bottom) {
    make_positions();
    return forms_.replace(scratch_, bottom, position_, coefficients, effort_);
}

constexpr bool canonical_graph::has_factor(term t, term factor) const {
    const int e = exponent_of(t.id, factor.id);
    return e != 0 && (e < 0) == (factor.c < 0);
}

// Whether several terms have a factor in common that is worth factoring out: they contain a linear form of the values,
// or all have one coefficient, which the factor takes with it. (Without a coefficient, products of the factor that
// other sums have too may cost less.)
constexpr bool canonical_graph::factor_out(int bottom, bool result) {
    const term factor = frequent_factor(bottom);
    if (factor.is_zero()) return false;
    const int top = scratch_.count;
    for (int i = bottom; i < top; ++i)
        if (has_factor(scratch_.items[i], factor)) scratch_.push_back(scratch_.items[i]);
    const int end = scratch_.count;
    const int magnitude = scratch_.items[top].c & ~1;
    bool has_one_coefficient = result && magnitude != 0 && end - top >= 4; // fewer save too little
    for (int i = top; i < end; ++i)
        has_one_coefficient = has_one_coefficient && (scratch_.items[i].c & ~1) == magnitude;
    if ((has_one_coefficient || forms_.could_replace(end - top)) && push_common_factors(top)) {
        divide_terms(top, end);
        const term common = pooled_product(end);
        if (replace_linear_form(top) || has_one_coefficient) {
            const term whole = multiply(common, sum_since(top));
            int kept = bottom;
            for (int i = bottom; i < top; ++i)
                if (!has_factor(scratch_.items[i], factor)) scratch_.items[kept++] = scratch_.items[i];
            scratch_.truncate(kept);
            push_term(whole);
            return true;
        }
    }
    scratch_.truncate(top);
    return false;
}

// A coefficient of several terms is a total until it is complete: a graph keeps each coefficient that has a number.
constexpr void canonical_graph::collect_like_terms(int bottom) {
    make_positions();
    list<coefficient> totals; // of the terms whose c is the negative of a position here, minus one
    bool vanished = false;
    int kept = bottom;
    for (int i = bottom; i < scratch_.count; ++i) {
        const term t = scratch_.items[i];
        const int seen = position_.items[t.id];
        if (seen == 0) {
            scratch_.items[kept] = t;
            position_.items[t.id] = ++kept;
            continue;
        }
        term& first = scratch_.items[seen - 1];
        effort_ += 4;
        const coefficient sum = (first.c < 0 ? totals.items[-1 - first.c] : value(first.c)) + value(t.c);
        if (sum.is_zero()) {
            // Mark it as vanished; an equal term that follows starts anew.
            position_.items[t.id] = 0;
            first.id = -1;
            vanished = true;
        } else if (first.c < 0) {
            totals.items[-1 - first.c] = sum;
        } else {
            totals.push_back(sum);
            first.c = -totals.count;
        }
    }
    for (int i = bottom; i < kept; ++i)
        if (scratch_.items[i].id >= 0) position_.items[scratch_.items[i].id] = 0;
    scratch_.truncate(kept);
    if (totals.count != 0)
        for (int i = bottom; i < kept; ++i)
            if (term& t = scratch_.items[i]; t.c < 0 && t.id >= 0) t.c = coefficient_number(totals.items[-1 - t.c]);
    if (!vanished) return;
    kept = bottom;
    for (int i = bottom; i < scratch_.count; ++i)
        if (scratch_.items[i].id >= 0) scratch_.items[kept++] = scratch_.items[i];
    scratch_.truncate(kept);
}

constexpr int canonical_graph::exponent_of(int id, int factor) const {
    const node& n = nodes.items[id];
    if (n.what != kind::product) return id == factor ? 1 : 0;
    for (int i = 0; i < n.b; ++i)
        if (pool.items[n.a + i].id == factor) return pool.items[n.a + i].c;
    return 0;
}

// Pushes the factors that all terms since bottom share, if factoring them out saves operations (a product and a sum
// count as one fused operation); otherwise pushes nothing and returns false.
constexpr bool canonical_graph::push_common_factors(int bottom) {
    const int first = scratch_.items[bottom].id;
    int before = 0, after = 1;
    bool had_single = false, has_single = false;
    const int top = scratch_.count;
    const int factors = scratch_.count;
    push_factors(first);
    for (int i = bottom; i < top; ++i) {
        if (scratch_.items[i].id == one) scratch_.truncate(factors);
        effort_ += scratch_.count - factors;
        int kept = factors;
        for (int k = factors; k < scratch_.count; ++k) {
            const term f = scratch_.items[k];
            const int e = exponent_of(scratch_.items[i].id, f.id);
            if (e == 0 || (e < 0) != (f.c < 0)) continue;
            scratch_.items[kept++] = {(e < 0 ? e > f.c : e < f.c) ? e : f.c, f.id};
        }
        scratch_.truncate(kept);
        if (kept == factors) return false;
    }
    int weight = 0;
    for (int k = factors; k < scratch_.count; ++k)
        weight += scratch_.items[k].c < 0 ? -scratch_.items[k].c : scratch_.items[k].c;
    for (int i = bottom; i < top; ++i) {
        const int n = literals(scratch_.items[i].id) + (scratch_.items[i].c > 1 ? 1 : 0);
        before += n > 2 ? n - 1 : 1;
        after += n - weight > 2 ? n - weight - 1 : 1;
        had_single = had_single || n <= 1;
        has_single = has_single || n - weight <= 1;
    }
    if (after - (has_single ? 1 : 0) > before - (had_single ? 1 : 0)) {
        scratch_.truncate(factors);
        return false;
    }
    return true;
}

// Divides the terms from bottom to top by the product of the factors from top on.
constexpr void canonical_graph::divide_terms(int bottom, int top) {
    const int end = scratch_.count;
    for (int i = bottom; i < top; ++i) {
        push_factors(scratch_.items[i].id);
        effort_ += (scratch_.count - end) * (1 + (end - top) / 2);
        int kept = end;
        for (int k = end; k < scratch_.count; ++k) {
            term f = scratch_.items[k];
            for (int j = top; j < end; ++j)
                if (scratch_.items[j].id == f.id) f.c -= scratch_.items[j].c;
            if (f.c != 0) scratch_.items[kept++] = f;
        }
        scratch_.truncate(kept);
        scratch_.items[i].id = pooled_product(end).id;
    }
}

// The factor that most terms since bottom share, with the sign of its exponent; zero if fewer than three share one.
constexpr term canonical_graph::frequent_factor(int bottom) {
    const int top = scratch_.count;
    for (int i = bottom; i < top; ++i)
        if (scratch_.items[i].id != one) push_factors(scratch_.items[i].id);
    const int end = scratch_.count;
    // The number of occurrences: with positive exponents in the lower half of a word, with negative ones in the upper
    // half. The first ones of very many tell enough.
    make_positions();
    constexpr int negative = 1 << 16;
    const int counted = end - top < negative / 2 ? end : top + negative / 2 - 1;
    for (int k = top; k < counted; ++k) position_.items[scratch_.items[k].id] += scratch_.items[k].c < 0 ? negative : 1;
    term best = zero_term;
    int most = 2;
    for (int k = top; k < counted; ++k) {
        const term f = scratch_.items[k];
        const int occurrences = f.c < 0 ? position_.items[f.id] / negative : position_.items[f.id] % negative;
        if (occurrences <= most) continue;
        most = occurrences;
        best = {f.c < 0 ? -1 : 1, f.id};
    }
    for (int k = top; k < counted; ++k) position_.items[scratch_.items[k].id] = 0;
    scratch_.truncate(top);
    return best;
}

// The magnitude that most coefficients share, with the sign that most of the terms then have.
constexpr int canonical_graph::common_scale(int bottom) const {
    int best = 0, best_count = 0, negative = 0;
    const int total = scratch_.count - bottom;
    list<int> counts; // of long sums, by magnitude: to compare each with each would take time quadratic in their number
    if (total > 24) {
        counts = list<int>(coefficients.magnitudes.count);
        for (int i = bottom; i < scratch_.count; ++i) ++counts.items[scratch_.items[i].c >> 1];
    }
    for (int i = bottom; i < scratch_.count; ++i) {
        negative += scratch_.items[i].c & 1;
        if (total > 24) {
            const int count = counts.items[scratch_.items[i].c >> 1];
            if (count > best_count) best = scratch_.items[i].c & ~1, best_count = count;
            continue;
        }
        if (best_count > 0 && (scratch_.items[i].c >> 1) == (best >> 1)) continue;
        int count = 0;
        for (int k = i; k < scratch_.count; ++k)
            count += (scratch_.items[k].c >> 1) == (scratch_.items[i].c >> 1) ? 1 : 0;
        if (count > best_count) {
            best = scratch_.items[i].c & ~1;
            best_count = count;
        }
    }
    // To divide each of many different coefficients would save few operations.
    if (total > 256 && 16 * best_count < total) best = 0;
    const bool flip = 2 * negative > total || (2 * negative == total && (scratch_.items[bottom].c & 1) != 0);
    return best | (flip ? 1 : 0);
}

} // namespace chainrule::graph
