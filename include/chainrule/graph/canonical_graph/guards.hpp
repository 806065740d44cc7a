// SPDX-License-Identifier: BSL-1.0
//
// Guards keep untaken arms out of derivatives. The adjoint of an arm of select(c, a, b) has the condition as a factor,
// called a guard: the product is g if c holds, else 0, for every g. Products collect guards like factors, so select(c,
// g, 0) * p becomes select(c, g * p, 0) without a special rule. Shares, the derivatives of functions with kinks, are
// guards that are numbers: 0, 1/2, 1 or NaN. More than two conditions become one, and so do more than two shares, so
// the number of guards does not grow along a chain. The three rules for sums are here too.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>

namespace chainrule::graph {

constexpr term canonical_graph::guarded(term t, int guard) {
    if (t.is_zero()) return t;
    if (t.id == one && !is_condition(guard) && nodes.items[guard].what != kind::product) return {t.c, guard};
    const int bottom = mark();
    scratch_.push_back({1, guard});
    return multiply(t, {0, intern_pooled(kind::product, bottom)});
}

// The conjunction of two conditions. A negated guard costs no operation, so the conjunction of two negations is the
// negation of a disjunction.
constexpr int canonical_graph::both(int c, int d) {
    if (is_negation(c) && is_negation(d))
        return condition(relation::negation, condition(relation::disjunction, nodes.items[c].a, nodes.items[d].a));
    return condition(relation::conjunction, c, d);
}
// The disjunction of two conditions.
constexpr int canonical_graph::either(int c, int d) {
    if (implies(c, d)) return d;
    if (implies(d, c)) return c;
    if (is_negation(c) && is_negation(d))
        return condition(relation::negation, condition(relation::conjunction, nodes.items[c].a, nodes.items[d].a));
    return condition(relation::disjunction, c, d);
}

// Whether c implies d, because both() recently built c from d and others.
constexpr bool canonical_graph::implies(int c, int d) const {
    const bool negation = is_negation(c);
    if (negation != is_negation(d)) return false;
    if (negation) {
        c = nodes.items[c].a;
        d = nodes.items[d].a;
    }
    const unsigned char joint = static_cast<unsigned char>(negation ? relation::disjunction : relation::conjunction);
    for (int steps = 0; steps < 16; ++steps) {
        if (c == d) return true;
        const node& n = nodes.items[c];
        if (!is_condition(c) || n.function != joint) return false;
        if (n.b == d) return true;
        c = n.a;
    }
    return false;
}

// One node for several shares, which products treat as one factor.
constexpr int canonical_graph::product_of_shares(const list<int>& shares) {
    const int bottom = mark();
    for (int i = 0; i < shares.count; ++i) {
        int k = bottom;
        while (k < mark() && scratch_.items[k].id < shares.items[i]) ++k;
        if (k < mark() && scratch_.items[k].id == shares.items[i]) {
            ++scratch_.items[k].c;
            continue;
        }
        scratch_.push_back(zero_term);
        for (int m = mark() - 1; m > k; --m) scratch_.items[m] = scratch_.items[m - 1];
        scratch_.items[k] = {1, shares.items[i]};
    }
    return pooled_product(bottom).id;
}

// Moves the shares among guards to a separate list.
constexpr void canonical_graph::take_shares(list<int>& from, list<int>& shares) {
    int kept = 0;
    for (int i = 0; i < from.count; ++i)
        if (is_condition(from.items[i]))
            from.items[kept++] = from.items[i];
        else
            shares.push_back(from.items[i]);
    from.truncate(kept);
}

// The product of two runs of factors on the scratch stack from bottom on; the guards of each kind in each run become
// one. So the number of guards of an adjoint does not grow along a chain, and every statement adds one conjunction or
// product.
constexpr term canonical_graph::product_of_few_guards(int bottom, int middle) {
    list<int> left, right, left_shares, right_shares;
    take_guards(bottom, middle, left, right);
    take_shares(left, left_shares);
    take_shares(right, right_shares);
    int first = left.count > 0 ? left.items[0] : -1;
    for (int i = 1; i < left.count; ++i) first = both(first, left.items[i]);
    int second = -1;
    for (int i = 0; i < right.count; ++i)
        if (first < 0 || !implies(first, right.items[i]))
            second = second < 0 ? right.items[i] : both(second, right.items[i]);
    term product = merged_product(bottom, middle);
    if (first >= 0) product = guarded(product, first);
    if (second >= 0) product = guarded(product, second);
    if (left_shares.count > 0) product = guarded(product, product_of_shares(left_shares));
    return right_shares.count == 0 ? product : guarded(product, product_of_shares(right_shares));
}

constexpr void canonical_graph::push_guards(int id) {
    const node& n = nodes.items[id];
    if (n.what != kind::product) return;
    for (int i = n.a; i < n.a + n.b; ++i)
        if (guards(pool.items[i])) scratch_.push_back(pool.items[i]);
}

constexpr term canonical_graph::without_guards(term t) {
    const node n = nodes.items[t.id];
    if (n.what != kind::product) return t;
    const int bottom = mark();
    for (int i = n.a; i < n.a + n.b; ++i)
        if (!guards(pool.items[i])) scratch_.push_back(pool.items[i]);
    return with_coefficient(t.c, pooled_product(bottom));
}

// Whether two conditions are opposite.
constexpr bool canonical_graph::opposite(int c, int d) const {
    return (is_negation(c) && nodes.items[c].a == d) || (is_negation(d) && nodes.items[d].a == c);
}

// Adds the terms since bottom that have the same guards, if there are several, so that one select serves all of them.
constexpr bool canonical_graph::join_guarded_terms(int bottom) {
    const int top = scratch_.count;
    for (int i = bottom; i < top; ++i) {
        push_guards(scratch_.items[i].id);
        const int end = scratch_.count;
        if (end == top) continue;
        list<int> equal;
        for (int k = i; k < top; ++k) {
            push_guards(scratch_.items[k].id);
            bool same = scratch_.count - end == end - top;
            for (int m = top; same && m < end; ++m) same = scratch_.items[m] == scratch_.items[m + end - top];
            if (same) equal.push_back(k);
            scratch_.truncate(end);
        }
        if (equal.count == 1) {
            scratch_.truncate(top);
            continue;
        }
        for (int k = 0; k < equal.count; ++k) {
            const term t = without_guards(scratch_.items[equal.items[k]]);
            push_term(t);
        }
        term sum = sum_since(end);
        for (int k = top; k < end; ++k)
            for (int e = scratch_.items[k].c; e > 0; --e) sum = guarded(sum, scratch_.items[k].id);
        int kept = bottom, next = 0;
        for (int k = bottom; k < top; ++k) {
            if (next < equal.count && equal.items[next] == k)
                ++next;
            else
                scratch_.items[kept++] = scratch_.items[k];
        }
        scratch_.truncate(kept);
        push_term(sum);
        return true;
    }
    return false;
}

// Builds select(c, a, b) from two terms since bottom whose guards are opposite, apart from common guards.
constexpr bool canonical_graph::join_opposite_terms(int bottom) {
    const int top = scratch_.count;
    for (int i = bottom; i < top; ++i)
        for (int k = i + 1; k < top; ++k) {
            push_guards(scratch_.items[i].id);
            const int middle = scratch_.count;
            push_guards(scratch_.items[k].id);
            const int end = scratch_.count;
            int c = -1, d = -1, apart = 0;
            for (int m = top; m < end; ++m) {
                const int from = m < middle ? middle : top, to = m < middle ? end : middle;
                bool shared = false;
                for (int o = from; o < to; ++o) shared = shared || scratch_.items[o] == scratch_.items[m];
                if (shared) continue;
                ++apart;
                (m < middle ? c : d) = scratch_.items[m].id;
            }
            if (apart != 2 || c < 0 || d < 0 || !opposite(c, d)) {
                scratch_.truncate(top);
                continue;
            }
            const int a = node_of(without_guards(scratch_.items[i])), b = node_of(without_guards(scratch_.items[k]));
            term joined = canonical(select(c, a, b));
            for (int m = top; m < middle; ++m)
                for (int e = scratch_.items[m].id == c ? 0 : scratch_.items[m].c; e > 0; --e)
                    joined = guarded(joined, scratch_.items[m].id);
            scratch_.truncate(top);
            scratch_.items[i] = joined;
            scratch_.items[k] = scratch_.items[top - 1];
            scratch_.truncate(top - 1);
            return true;
        }
    return false;
}

// Whether a guard is not 0, as a condition; true for NaN.
constexpr int canonical_graph::as_condition(int guard) {
    return is_condition(guard) ? guard : condition(relation::not_equal, guard, constant(coefficient(0)));
}

// A sum whose terms all have guards is zero if none of the guards holds. A factor of the sum may be infinite then, so
// the sum gets the disjunction of the guards as a guard.
constexpr term canonical_graph::guarded_by_any(term sum) {
    const node n = nodes.items[sum.id];
    int any = -1;
    for (int i = n.a; i < n.a + n.b; ++i) {
        const int bottom = mark();
        push_guards(pool.items[i].id);
        if (mark() == bottom) return sum;
        int all = as_condition(scratch_.items[bottom].id);
        for (int k = bottom + 1; k < mark(); ++k) all = both(all, as_condition(scratch_.items[k].id));
        scratch_.truncate(bottom);
        any = any < 0 ? all : either(any, all);
    }
    return guarded(sum, any);
}

} // namespace chainrule::graph

// Included last: sums and guards call each other.
