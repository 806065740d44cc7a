// SPDX-License-Identifier: BSL-1.0
//
// The products of derivatives: powers of nodes with an exact coefficient. Equal factors are collected and cancel,
// quotients are negative powers, and every value can be represented as such a product.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>

namespace chainrule::graph {

// Operands first, from the left, as the recursion of canonical() does.
constexpr bool canonical_graph::expand_operands(int id, int most) {
    enum : int { left, right, none }; // the operand that is next
    list<term> open;
    open.push_back({left, id});
    const int depth = depth_;
    depth_ = 0;
    while (open.count != 0 && effort() < most) {
        term& top = open.items[open.count - 1];
        if (top.c == none) {
            const int operand = open.pop_back().id;
            if (open.count != 0) (void)canonical(operand);
            continue;
        }
        const node& n = nodes.items[top.id];
        const int operand = top.c++ == left ? n.a : n.b;
        if (operand >= 0 && canonical_terms.items[operand].id < 0 &&
            (nodes.items[operand].what == kind::multiply || nodes.items[operand].what == kind::divide ||
             nodes.items[operand].what == kind::negate))
            open.push_back({left, operand});
    }
    depth_ = depth;
    return open.count == 0;
}

constexpr term canonical_graph::canonical(int id) {
    if (canonical_terms.items[id].id >= 0 || is_zero(id)) return canonical_terms.items[id];
    if (++depth_ == most_depth_) (void)expand_operands(id, 1 << 30);
    const node n = nodes.items[id];
    term t{0, id};
    if (n.what == kind::multiply || n.what == kind::divide) {
        const term a = canonical(n.a), b = canonical(n.b);
        const int before = cancelled_;
        t = multiply(a, n.what == kind::divide ? power(b, -1) : b);
        if (cancelled_ != before || cancelling.count != 0) note_cancelling(id, cancelled_ != before);
    } else if (n.what == kind::negate) {
        t = -canonical(n.a);
        if (cancelling.count != 0) note_cancelling(id, false);
    } else if (n.what == kind::constant) {
        if (value(n.a).finite()) t = {n.a, one};
    } else if (n.what == kind::sum) {
        if (n.b == 1 && !coefficients.extreme(pool.items[n.a].c)) t = pool.items[n.a];
    } else if (n.what == kind::call) {
        if (is_square_root(id) && nodes.items[n.a].what == kind::constant && !is_zero(n.a) &&
            !value(nodes.items[n.a].a).negative())
            t = {coefficient_number(value(nodes.items[n.a].a).square_root()), one};
        else if (n.function == functions::exp::position && (relaxing_ || (id >= value_count_ && value_count_ > 0)) &&
                 !conditional_)
            t = canonical_exponential(id);
        else if (n.function == functions::relaxed::position)
            t = canonical(n.a);
    }
    if (!t.is_zero()) canonical_terms.items[id] = t;
    --depth_;
    return t;
}

// After a value was multiplied out: notes it if factors cancelled `here`, or in an operand.
constexpr void canonical_graph::note_cancelling(int id, bool here) {
    const node& n = nodes.items[id];
    if (!here && !cancels(n.a) && (n.b < 0 || !cancels(n.b))) return;
    cancelling.push_back(id);
    for (int i = cancelling.count - 1; i > 0 && cancelling.items[i - 1] > id; --i) {
        cancelling.items[i] = cancelling.items[i - 1];
        cancelling.items[i - 1] = id;
    }
}

constexpr term canonical_graph::canonical(term t) {
    if (t.is_zero()) return t;
    const term u = canonical(t.id);
    return u.is_zero() ? u : term{times(t.c, u.c), u.id};
}

constexpr term canonical_graph::number(const coefficient& c) {
    return c.is_zero() ? zero_term : term{coefficient_number(c), one};
}

constexpr term canonical_graph::multiply(term s, term t) {
    if (s.id < 0 || t.id < 0) return zero_term;
    if (s.id == one) return with_coefficient(s.c, t);
    if (t.id == one) return with_coefficient(t.c, s);
    const int c = times(s.c, t.c);
    const int bottom = scratch_.count;
    push_factors(s.id);
    const int middle = scratch_.count;
    push_factors(t.id);
    return with_coefficient(c, merged_product(bottom, middle));
}

constexpr term canonical_graph::power(term t, int exponent) {
    if (exponent == 0) return {0, one};
    if (t.is_zero()) {
        if (exponent > 0) return t;
        t = {0, constant(coefficient(0))}; // 1 / 0 stays a quotient
    }
    if (t.c > 1 && t.id != one && (exponent < -8 || exponent > 8)) t = {0, sum_of_one(t)};
    int c = 0;
    const int base = exponent < 0 ? over(0, t.c) : t.c;
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; --i) c = times(c, base);
    if (t.id == one) return {c, one};
    const int bottom = scratch_.count;
    if (conditional_ && exponent < 0 && has_guard(t.id))
        scratch_.push_back({1, t.id}); // 1 / 0 if the condition does not hold
    else
        push_factors(t.id);
    for (int i = bottom; i < scratch_.count; ++i)
        if (!conditional_ || !is_condition(scratch_.items[i].id)) scratch_.items[i].c *= exponent;
    return with_coefficient(c, merged_product(bottom, scratch_.count));
}

constexpr term canonical_graph::without_factor(int id, int i, int exponent) {
    const node n = nodes.items[id];
    const int bottom = scratch_.count;
    for (int k = 0; k < n.b; ++k) {
        term f = pool.items[n.a + k];
        if (k == i) f.c -= exponent;
        if (f.c != 0) scratch_.push_back(f);
    }
    return pooled_product(bottom);
}

constexpr term canonical_graph::without_factor(term t, term power) {
    if (t.id == power.id) return {t.c, one};
    const node& n = nodes.items[t.id];
    int i = 0;
    while (pool.items[n.a + i].id != power.id) ++i;
    return with_coefficient(t.c, without_factor(t.id, i, power.c));
}

constexpr void canonical_graph::push_factors(int id) {
    const node& n = nodes.items[id];
    if (n.what == kind::product)
        for (int i = 0; i < n.b; ++i) scratch_.push_back(pool.items[n.a + i]);
    else
        scratch_.push_back({1, id});
}

constexpr term canonical_graph::pooled_product(int bottom) {
    const int count = scratch_.count - bottom;
    if (count == 0) return {0, one};
    if (count == 1 && scratch_.items[bottom].c == 1 && !is_condition(scratch_.items[bottom].id))
        return {0, scratch_.pop_back().id};
    unsigned as = conditional_ ? guards_as_share : guards_nothing;
    for (int i = bottom; i < scratch_.count && as != guards_nothing; ++i) {
        if (!guards(scratch_.items[i]))
            as = guards_nothing;
        else if (!is_share(scratch_.items[i].id))
            as = guards_as_sum;
    }
    return {0, intern_pooled(kind::product, bottom, as)};
}

constexpr term canonical_graph::with_coefficient(int c, term t) {
    const int product = times(c, t.c);
    // A product below the range of double stays one of two numbers: long double holds it. (One above is infinite:
    // constant expressions must not overflow.)
    if (c > 1 && t.c > 1 && t.id >= 0 && coefficients.is_zero(product) && !coefficients.is_zero(c) &&
        !coefficients.is_zero(t.c))
        return with_bounded_coefficient({c, sum_of_one(t)});
    return with_bounded_coefficient({product, t.id});
}

// An extreme coefficient becomes part of the node: in a long chain of factors it would overflow or underflow.
constexpr term canonical_graph::with_bounded_coefficient(term t) {
    return t.c < 2 || t.id == one || t.id < 0 || !coefficients.extreme(t.c) ? t : term{0, sum_of_one(t)};
}

// The product of two runs of factors, each sorted by node, on the scratch stack from bottom on; pops them.
constexpr term canonical_graph::merged_product(int bottom, int middle) {
    const int top = scratch_.count;
    int weight = 0, roots = 0, conditions = 0, shares = 0, scale = 0;
    bool has_sum = false;
    int i = bottom, j = middle;
    effort_ += top - bottom;
    while (i < middle || j < top) {
        term f;
        if (j == top || (i < middle && scratch_.items[i].id < scratch_.items[j].id))
            f = scratch_.items[i++];
        else if (i == middle || scratch_.items[j].id < scratch_.items[i].id)
            f = scratch_.items[j++];
        else {
            f = {conditional_ && is_condition(scratch_.items[i].id) ? 1 : scratch_.items[i].c + scratch_.items[j].c,
                 scratch_.items[i].id};
            if ((scratch_.items[i].c < 0) != (scratch_.items[j].c < 0)) ++cancelled_;
            ++i;
            ++j;
        }
        if (f.c == 0) continue;
        if (conditional_ && is_condition(f.id))
            ++conditions;
        else if (conditional_ && guards(f)) {
            shares += f.c;
            has_sum = has_sum || guards_as_number(f.id);
        }
        // The roots are neighbours in the table: one comparison for the many factors that are none.
        static_assert(functions::sqrt::position + 1 == functions::cbrt::position);
        if (nodes.items[f.id].function - functions::sqrt::position < 2U && root_degree(f.id) != 0) {
            weight += cancel_radicand(top, f, scale);
            if (f.c == 0) continue;
            if (is_reducible(f)) ++roots;
        }
        weight += f.c < 0 ? -f.c : f.c;
        scratch_.push_back(f);
    }
    if (conditional_ && contradicts(top)) {
        scratch_.truncate(bottom);
        return zero_term;
    }
    if (conditions > most_guards_ || shares > (has_sum ? 1 : most_guards_)) {
        scratch_.truncate(top);
        return product_of_few_guards(bottom, middle);
    }
    if (weight > longest_product_ && middle < top && (scratch_.count > top + most_powers_ || weight > highest_power_)) {
        scratch_.truncate(top);
        return nested_product(bottom, middle);
    }
    // Move the merged factors down over the runs.
    const int count = scratch_.count - top;
    for (int k = 0; k < count; ++k) scratch_.items[bottom + k] = scratch_.items[top + k];
    scratch_.truncate(bottom + count);
    if (roots > 0) return with_coefficient(scale, reduced_roots(bottom));
    return scale == 0 ? pooled_product(bottom) : with_coefficient(scale, pooled_product(bottom));
}

// A power of a root of u joins opposite powers of all factors of u, if they are among the factors since bottom:
// u / sqrt(u) is sqrt(u). Multiplies c by the coefficient that remains of u, and returns the change of the weight.
constexpr int canonical_graph::cancel_radicand(int bottom, term& root, int& c) {
    const term u = canonical(nodes.items[root.id].a);
    if (u.is_zero() || u.id == one || (conditional_ && has_guard(u.id))) return 0;
    const int top = scratch_.count, degree = root_degree(root.id), sign = root.c < 0 ? -1 : 1;
    int taken = (sign * root.c + degree - 1) / degree;
    push_factors(u.id);
    for (int pass = 0; pass < 2; ++pass) // the first finds how much can be taken, the second takes it
        for (int i = bottom, k = top; k < scratch_.count; ++k) {
            const term f = scratch_.items[k];
            while (i < top && scratch_.items[i].id < f.id) ++i;
            const int power = i < top && scratch_.items[i].id == f.id ? -sign * scratch_.items[i].c / f.c : 0;
            if (pass == 1) scratch_.items[i].c += sign * taken * f.c;
            if (pass == 0 && power < taken) taken = power;
            if (taken <= 0) {
                scratch_.truncate(top);
                return 0;
            }
        }
    int weight = 0;
    for (int k = top; k < scratch_.count; ++k) {
        const int e = scratch_.items[k].c;
        weight -= taken * (e < 0 ? -e : e);
    }
    int kept = bottom;
    for (int i = bottom; i < top; ++i)
        if (scratch_.items[i].c != 0) scratch_.items[kept++] = scratch_.items[i];
    scratch_.truncate(kept);
    ++cancelled_;
    root.c -= sign * taken * degree;
    c = times(c, power({u.c, one}, sign * taken).c);
    return weight;
}

// Whether a condition and its opposite are among the factors since bottom.
constexpr bool canonical_graph::contradicts(int bottom) const {
    for (int i = bottom; i < scratch_.count; ++i) {
        if (!is_negation(scratch_.items[i].id)) continue;
        for (int k = bottom; k < scratch_.count; ++k)
            if (scratch_.items[k].id == nodes.items[scratch_.items[i].id].a) return true;
    }
    return false;
}

constexpr bool canonical_graph::has_guard(int id) const {
    const node& n = nodes.items[id];
    if (n.what != kind::product) return guards({1, id});
    for (int i = n.a; i < n.a + n.b; ++i)
        if (guards(pool.items[i])) return true;
    return false;
}

constexpr bool canonical_graph::have_guards(const term* terms, int count) const {
    for (int i = 0; i < count; ++i)
        if (!has_guard(terms[i].id)) return false;
    return true;
}

// Removes the conditions and shares from two runs of factors on the scratch stack from bottom on.
constexpr void canonical_graph::take_guards(int bottom, int& middle, list<int>& left, list<int>& right) {
    int kept = bottom, left_end = bottom;
    for (int i = bottom; i < scratch_.count; ++i) {
        if (i == middle) left_end = kept;
        const term f = scratch_.items[i];
        if (guards(f))
            for (int e = f.c; e > 0; --e) (i < middle ? left : right).push_back(f.id);
        else
            scratch_.items[kept++] = f;
    }
    middle = left_end;
    scratch_.truncate(kept);
}

// The product of two runs of factors on the scratch stack from bottom on. Each run becomes one factor, except its
// conditions and shares, which guard the whole product.
constexpr term canonical_graph::nested_product(int bottom, int middle) {
    list<int> factors;
    if (conditional_) take_guards(bottom, middle, factors, factors);
    const int right = pooled_product(middle).id, left = pooled_product(bottom).id;
    factors.push_back(left);
    factors.push_back(right);
    // Sorted; of equal ones a power, but a condition once.
    for (int i = 1; i < factors.count; ++i)
        for (int k = i; k > 0 && factors.items[k] < factors.items[k - 1]; --k) {
            const int f = factors.items[k];
            factors.items[k] = factors.items[k - 1];
            factors.items[k - 1] = f;
        }
    int last = one;
    for (int i = 0; i < factors.count; ++i) {
        const int f = factors.items[i];
        if (f != last)
            scratch_.push_back({1, f});
        else if (f != one && !is_condition(f))
            ++scratch_.items[scratch_.count - 1].c;
        last = f;
    }
    return pooled_product(bottom);
}

// Whether a power of a root is cheaper as one of its radicand and a rest: 1 / cbrt(u)^5 is not, since 1 / u is a
// division more where the power takes 1 / cbrt(u), which derivatives have.
constexpr bool canonical_graph::is_reducible(term root) const {
    return root.c > 2 || (root.c < -2 && root_degree(root.id) == 2);
}

// sqrt(u)^2 = u wherever sqrt(u) has a derivative, and cbrt(u)^3 = u.
constexpr term canonical_graph::reduced_roots(int bottom) {
    term rest{0, one};
    ++cancelled_;
    for (int i = bottom; i < scratch_.count; ++i) {
        const term f = scratch_.items[i];
        const int degree = root_degree(f.id);
        if (degree == 0 || !is_reducible(f)) continue;
        scratch_.items[i].c = f.c % degree;
        rest = multiply(rest, power(canonical(nodes.items[f.id].a), f.c / degree));
    }
    int kept = bottom;
    for (int i = bottom; i < scratch_.count; ++i)
        if (scratch_.items[i].c != 0) scratch_.items[kept++] = scratch_.items[i];
    scratch_.truncate(kept);
    return multiply(pooled_product(bottom), rest);
}

} // namespace chainrule::graph

// Included last: guards are factors, and products call their functions.
