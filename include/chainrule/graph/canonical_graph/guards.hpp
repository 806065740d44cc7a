// SPDX-License-Identifier: BSL-1.0
//
// Guards keep untaken arms out of derivatives. The adjoint of an arm of select(c, a, b) has the condition as a factor,
// called a guard: the product is g if c holds, else 0, for every g. Products collect guards like factors, so select(c,
// g, 0) * p becomes select(c, g * p, 0) without a special rule. Shares, the derivatives of functions with kinks, are
// guards that are numbers: 0, 1/2, 1 or NaN. A sum whose terms all have guards is 0 if none of the guards holds, and so
// guards what it is multiplied by. More than two conditions become one, and so do more than two shares, or a sum and
// another: the number of guards does not grow along a chain. The two rules for sums are here too.
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

constexpr int canonical_graph::guard_of(int number) {
    if (guards({1, number})) return number;
    const int bottom = mark();
    scratch_.push_back({1, number});
    return intern_pooled(kind::product, bottom, guards_as_sum);
}

// The conjunction of two conditions. A negated guard costs no operation, so the conjunction of two negations is the
// negation of a disjunction.
constexpr int canonical_graph::both(int c, int d) {
    if (is_negation(c) && is_negation(d))
        return condition(relation::negation, condition(relation::disjunction, nodes.items[c].a, nodes.items[d].a));
    return condition(relation::conjunction, c, d);
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

// One node for several shares or sums, which products treat as one factor.
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

// Moves the guards that are numbers to a separate list.
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
    bool has_sum = false;
    for (const int share : left_shares) has_sum = has_sum || guards_as_number(share);
    for (const int share : right_shares) has_sum = has_sum || guards_as_number(share);
    if (has_sum) {
        for (const int share : right_shares) left_shares.push_back(share);
        right_shares.truncate(0);
    }
    if (left_shares.count > 0) product = guarded(product, product_of_shares(left_shares));
    return right_shares.count == 0 ? product : guarded(product, product_of_shares(right_shares));
}

constexpr void canonical_graph::push_guards(int id) {
    int kept = mark();
    push_factors(id);
    for (int i = kept; i < mark(); ++i)
        if (guards(scratch_.items[i])) scratch_.items[kept++] = scratch_.items[i];
    scratch_.truncate(kept);
}

constexpr term canonical_graph::without_guards(term t) {
    const node n = nodes.items[t.id];
    if (n.what != kind::product) return guards({1, t.id}) ? term{t.c, one} : t;
    const int bottom = mark();
    for (int i = n.a; i < n.a + n.b; ++i)
        if (!guards(pool.items[i])) scratch_.push_back(pool.items[i]);
    return with_coefficient(t.c, pooled_product(bottom));
}

// Whether two conditions are opposite.
constexpr bool canonical_graph::opposite(int c, int d) const {
    return (is_negation(c) && nodes.items[c].a == d) || (is_negation(d) && nodes.items[d].a == c);
}

// A hash of the guards of a node, in which the opposite of a condition has the opposite part; 0 if there is none.
constexpr unsigned canonical_graph::hash_of_guard(term guard) const {
    const node& n = nodes.items[guard.id];
    const bool negation = n.what == kind::condition && n.function == static_cast<unsigned char>(relation::negation);
    unsigned h = static_cast<unsigned>(negation ? n.a : guard.id) * 0x9E3779B1u;
    h = (h ^ h >> 15) * 0x85EBCA6Bu + static_cast<unsigned>(guard.c) * 2u;
    return negation ? 0 - h : h;
}
constexpr unsigned canonical_graph::hash_of_guards(int id) const {
    const node& n = nodes.items[id];
    if (n.what != kind::product) return guards({1, id}) ? hash_of_guard({1, id}) : 0;
    unsigned h = 0;
    for (int i = n.a; i < n.a + n.b; ++i)
        if (guards(pool.items[i])) h += hash_of_guard(pool.items[i]);
    return h;
}
constexpr bool canonical_graph::have_same_guards(int s, int t) {
    const int bottom = mark();
    push_guards(s);
    const int middle = mark();
    push_guards(t);
    bool same = mark() - middle == middle - bottom;
    for (int i = bottom; same && i < middle; ++i) same = scratch_.items[i] == scratch_.items[i + middle - bottom];
    scratch_.truncate(bottom);
    return same;
}

// Lists the terms since bottom that have guards by the hash of these. (To compare each with each would take time
// quadratic in the terms of a sum.) Returns whether there are several.
constexpr bool canonical_graph::note_guards(int bottom, guarded_terms& found) {
    for (int i = bottom; i < scratch_.count; ++i) {
        if (!has_guard(scratch_.items[i].id)) continue;
        found.positions.push_back(i);
        found.hashes.push_back(hash_of_guards(scratch_.items[i].id));
    }
    if (found.positions.count < 2) return false;
    int size = 16;
    while (size < 2 * found.positions.count) size *= 2;
    effort_ += 4 * found.positions.count;
    found.heads = list<int>(size, -1);
    found.next = list<int>(found.positions.count, -1);
    return true;
}

// Adds the terms since bottom that have the same guards, if there are several, so that one select serves all of them.
constexpr bool canonical_graph::join_guarded_terms(int bottom) {
    guarded_terms found;
    if (!note_guards(bottom, found)) return false;
    // Of terms with equal guards, the first is in the table, and the others follow it.
    list<int> follower(found.positions.count, -1), last = follower;
    bool several = false;
    for (int e = 0; e < found.positions.count; ++e) {
        const int id = scratch_.items[found.positions.items[e]].id;
        int& head = found.head(found.hashes.items[e]);
        int first = head;
        while (first >= 0 && !have_same_guards(scratch_.items[found.positions.items[first]].id, id))
            first = found.next.items[first];
        if (first < 0) {
            found.next.items[e] = head;
            head = last.items[e] = e;
            continue;
        }
        several = true;
        follower.items[last.items[first]] = e;
        last.items[first] = e;
        last.items[e] = -1;
    }
    if (!several) return false;
    list<term> sums;
    for (int first = 0; first < found.positions.count; ++first) {
        if (last.items[first] < 0 || follower.items[first] < 0) continue;
        const int top = mark();
        push_guards(scratch_.items[found.positions.items[first]].id);
        const int end = mark();
        for (int e = first; e >= 0; e = follower.items[e]) {
            const term t = without_guards(scratch_.items[found.positions.items[e]]);
            scratch_.items[found.positions.items[e]] = zero_term;
            push_term(t);
        }
        term sum = sum_since(end);
        for (int k = top; k < end; ++k)
            for (int e = scratch_.items[k].c; e > 0; --e) sum = guarded(sum, scratch_.items[k].id);
        scratch_.truncate(top);
        sums.push_back(sum);
    }
    int kept = bottom;
    for (int i = bottom; i < scratch_.count; ++i)
        if (!scratch_.items[i].is_zero()) scratch_.items[kept++] = scratch_.items[i];
    scratch_.truncate(kept);
    for (const term& sum : sums) push_term(sum);
    return true;
}

// Whether the guards of two nodes are the same except one of each, and these two are opposite.
constexpr bool canonical_graph::have_opposite_guards(int s, int t, int& c) {
    const int bottom = mark();
    push_guards(s);
    const int middle = mark();
    push_guards(t);
    const int end = mark();
    int d = -1, apart = 0;
    c = -1;
    for (int m = bottom; m < end; ++m) {
        const int from = m < middle ? middle : bottom, to = m < middle ? end : middle;
        bool shared = false;
        for (int o = from; o < to; ++o) shared = shared || scratch_.items[o] == scratch_.items[m];
        if (shared) continue;
        ++apart;
        (m < middle ? c : d) = scratch_.items[m].id;
    }
    scratch_.truncate(bottom);
    return apart == 2 && c >= 0 && d >= 0 && opposite(c, d);
}

// Builds select(c, a, b) from two terms since bottom whose guards are opposite, apart from common guards; from further
// ones too, as long as no other rule applies to the result.
constexpr bool canonical_graph::join_opposite_terms(int bottom) {
    guarded_terms found;
    if (!note_guards(bottom, found)) return false;
    list<int> entry_at(mark() - bottom, -1); // by position
    for (int e = found.positions.count - 1; e >= 0; --e) {
        entry_at.items[found.positions.items[e] - bottom] = e;
        int& head = found.head(found.hashes.items[e]);
        found.next.items[e] = head;
        head = e;
    }
    bool joined_any = false;
    for (int i = bottom; i < mark(); ++i) {
        const int s = scratch_.items[i].id;
        const int entry = entry_at.items[i - bottom];
        if (entry < 0) continue;
        int k = mark(), c = -1; // the first partner, and the guard of s that is opposite
        const int top = mark();
        push_guards(s);
        const int end = mark();
        for (int m = top; m < end; ++m) {
            if (!is_condition(scratch_.items[m].id)) continue;
            const unsigned other = found.hashes.items[entry] - 2 * hash_of_guard(scratch_.items[m]);
            for (int e = found.head(other); e >= 0; e = found.next.items[e]) {
                const int at = found.positions.items[e];
                int guard = -1;
                if (at > i && at < k && have_opposite_guards(s, scratch_.items[at].id, guard)) k = at, c = guard;
            }
        }
        scratch_.truncate(top);
        if (c < 0) continue;
        const int a = node_of(without_guards(scratch_.items[i])), b = node_of(without_guards(scratch_.items[k]));
        const int before = nodes.count, selected = select(c, a, b);
        term joined = canonical(selected);
        const bool has_others = end - top > 1;
        push_guards(s);
        for (int m = top; m < end; ++m)
            for (int e = scratch_.items[m].id == c ? 0 : scratch_.items[m].c; e > 0; --e)
                joined = guarded(joined, scratch_.items[m].id);
        scratch_.truncate(top);
        scratch_.items[i] = joined;
        scratch_.items[k] = scratch_.items[top - 1];
        scratch_.truncate(top - 1);
        // An entry whose position is in front of all has no term.
        found.positions.items[entry_at.items[k - bottom]] = -1;
        if (const int moved = entry_at.items[top - 1 - bottom]; moved >= 0 && k < top - 1)
            found.positions.items[moved] = k;
        entry_at.items[k - bottom] = entry_at.items[top - 1 - bottom];
        joined_any = true;
        // A new node has no like term, no factor and no guard in common with other terms.
        if (has_others || joined.id != selected || selected < before) return true;
    }
    return joined_any;
}

} // namespace chainrule::graph

// Included last: sums and guards call each other.
