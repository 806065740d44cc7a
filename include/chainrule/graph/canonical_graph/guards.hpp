// SPDX-License-Identifier: BSL-1.0
//
// Guards keep what belongs to an untaken arm out of derivatives. What flows into an arm of select(c, a, b) has the
// condition as a factor, a guard: g where c holds, else 0, whatever g is. Products collect guards as they collect
// factors, so that select(c, g, 0) * p is select(c, g * p, 0) without a rule of its own. More than two guards become
// one condition, so that a derivative has no more of them at the end of a long chain than at its beginning. The three
// rules for sums are here too.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>

namespace chainrule::graph {

constexpr term canonical_graph::guarded(term t, int condition) {
    if (t.is_zero()) return t;
    const int bottom = mark();
    scratch_.push_back({1, condition});
    return multiply(t, {0, intern_pooled(kind::product, bottom)});
}

// That both conditions hold. The opposite of what one of them denies costs no operation where it guards something, so that
// two opposites are the opposite of a disjunction.
constexpr int canonical_graph::both(int c, int d) {
    if (is_negation(c) && is_negation(d))
        return condition(relation::negation, condition(relation::disjunction, nodes.items[c].a, nodes.items[d].a));
    return condition(relation::conjunction, c, d);
}
// That one of them holds.
constexpr int canonical_graph::either(int c, int d) {
    if (implies(c, d)) return d;
    if (implies(d, c)) return c;
    if (is_negation(c) && is_negation(d))
        return condition(relation::negation, condition(relation::conjunction, nodes.items[c].a, nodes.items[d].a));
    return condition(relation::disjunction, c, d);
}

// Whether d holds where c does, as c was made by both() of d and others not long ago.
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

// The product of two runs of factors on the scratch stack from bottom, each of whose guards become one: then the guards of
// an adjoint do not grow along a chain, and every statement adds one conjunction to those that it got.
constexpr term canonical_graph::product_of_few_guards(int bottom, int middle) {
    list<int> left, right;
    take_guards(bottom, middle, left, right);
    int first = left.items[0];
    for (int i = 1; i < left.count; ++i) first = both(first, left.items[i]);
    int second = -1;
    for (int i = 0; i < right.count; ++i)
        if (!implies(first, right.items[i])) second = second < 0 ? right.items[i] : both(second, right.items[i]);
    const term product = guarded(merged_product(bottom, middle), first);
    return second < 0 ? product : guarded(product, second);
}

constexpr void canonical_graph::push_guards(int id) {
    const node& n = nodes.items[id];
    if (n.what != kind::product) return;
    for (int i = n.a; i < n.a + n.b; ++i)
        if (is_condition(pool.items[i].id)) scratch_.push_back(pool.items[i]);
}

constexpr term canonical_graph::without_guards(term t) {
    const node n = nodes.items[t.id];
    if (n.what != kind::product) return t;
    const int bottom = mark();
    for (int i = n.a; i < n.a + n.b; ++i)
        if (!is_condition(pool.items[i].id)) scratch_.push_back(pool.items[i]);
    return with_coefficient(t.c, pooled_product(bottom));
}

// Whether one of two conditions holds where the other does not.
constexpr bool canonical_graph::opposite(int c, int d) const {
    return (is_negation(c) && nodes.items[c].a == d) || (is_negation(d) && nodes.items[d].a == c);
}

// Adds up the terms since bottom that have the same guards, where there are several: then one choice serves all of them.
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
            for (int m = top; same && m < end; ++m) same = scratch_.items[m].id == scratch_.items[m + end - top].id;
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
        for (int k = top; k < end; ++k) sum = guarded(sum, scratch_.items[k].id);
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

// Makes select(c, a, b) of two terms since bottom whose guards are opposite, but for those that they share.
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
                for (int o = from; o < to; ++o) shared = shared || scratch_.items[o].id == scratch_.items[m].id;
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
                if (scratch_.items[m].id != c) joined = guarded(joined, scratch_.items[m].id);
            scratch_.truncate(top);
            scratch_.items[i] = joined;
            scratch_.items[k] = scratch_.items[top - 1];
            scratch_.truncate(top - 1);
            return true;
        }
    return false;
}

// A sum of which every term has a guard is zero where none of them holds. Whatever is multiplied with it may be infinite
// there, so the sum gets the guard that one of them holds.
constexpr term canonical_graph::guarded_by_any(term sum) {
    const node n = nodes.items[sum.id];
    int any = -1;
    for (int i = n.a; i < n.a + n.b; ++i) {
        const int bottom = mark();
        push_guards(pool.items[i].id);
        if (mark() == bottom) return sum;
        int all = scratch_.items[bottom].id;
        for (int k = bottom + 1; k < mark(); ++k) all = both(all, scratch_.items[k].id);
        scratch_.truncate(bottom);
        any = any < 0 ? all : either(any, all);
    }
    return guarded(sum, any);
}

} // namespace chainrule::graph

// Calls that sums are made of, which call what stands here.
