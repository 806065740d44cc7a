// SPDX-License-Identifier: BSL-1.0
//
// Computes exponentials in derivatives from each other: the exponents of two bell curves are expanded into monomials,
// and where they differ by logarithms and by exponents of values, one curve is a product of powers and the other. With
// u1 and u2 the two arguments in the formula of Black and Scholes (1973),
//
//     exp(-u1^2 / 2) = (spot / strike)^-1 exp(-rate time) exp(-u2^2 / 2):
//
// one call fewer, and terms that cancel in theory cancel in the program.
#pragma once

#include <chainrule/graph/canonical_graph/definition.hpp>

namespace chainrule::graph {

// The factors of a monomial are sorted by node and differ.
constexpr void canonical_graph::multiply_factor(monomial& m, term factor) {
    int i = 0;
    while (i < m.count && m.factors[i].id < factor.id) ++i;
    if (i < m.count && m.factors[i].id == factor.id) {
        m.factors[i].c += factor.c;
        if (m.factors[i].c != 0) return;
        --m.count;
        for (; i < m.count; ++i) m.factors[i] = m.factors[i + 1];
        return;
    }
    m.too_long = m.too_long || m.count == monomial::most_factors;
    if (m.too_long) return;
    for (int k = m.count++; k > i; --k) m.factors[k] = m.factors[k - 1];
    m.factors[i] = factor;
}

// Adds a term to those with like factors. Returns whether they cancel.
constexpr bool canonical_graph::add_monomial(list<monomial>& sum, const monomial& m) {
    work_ += sum.count + 1;
    for (int i = 0; i < sum.count; ++i) {
        if (!sum.items[i].like(m)) continue;
        const coefficient c = value(sum.items[i].c) + value(m.c);
        if (c.is_zero()) {
            sum.items[i] = sum.pop_back();
            return true;
        }
        sum.items[i].c = coefficient_number(c);
        return false;
    }
    sum.push_back(m);
    return false;
}

// Multiplies out products, powers and sums until every factor is a call, a variable or a negative power. False if that
// takes too many terms, or if some cancel: a value written as (u + 1e20) - 1e20 has no digits of u.
constexpr bool canonical_graph::expand(term whole, list<monomial>& expanded) {
    list<monomial> open, vanished;
    monomial first;
    first.c = whole.c;
    multiply_factor(first, {1, whole.id});
    open.push_back(first);
    for (int steps = 0; open.count > 0; ++steps, ++work_) {
        monomial m = open.pop_back();
        if (m.too_long || steps == 250 || expanded.count > 24) return false;
        int i = 0;
        while (i < m.count && !expands(m.factors[i])) ++i;
        if (i == m.count) {
            if (add_monomial(expanded, m)) vanished.push_back(m);
            continue;
        }
        const term f = m.factors[i];
        const node n = nodes.items[f.id];
        if (const term t = canonical(f.id); t.is_zero() || cancels(f.id)) {
            if (f.c < 0 || !is_zero(f.id)) return false;
        } else if (t.id != f.id) { // a product or constant
            multiply_factor(m, {-f.c, f.id});
            for (int e = f.c < 0 ? -f.c : f.c; e > 0; --e) m.c = f.c < 0 ? over(m.c, t.c) : times(m.c, t.c);
            if (t.id != one) multiply_factor(m, {f.c, t.id});
            open.push_back(m);
        } else if (n.what == kind::product) {
            multiply_factor(m, {-f.c, f.id});
            for (int k = n.a; k < n.a + n.b; ++k) multiply_factor(m, {f.c * pool.items[k].c, pool.items[k].id});
            open.push_back(m);
        } else if (is_square_root(f.id)) {
            multiply_factor(m, {-f.c / 2 * 2, f.id});
            multiply_factor(m, {f.c / 2, n.a});
            open.push_back(m);
        } else { // a sum
            multiply_factor(m, {-1, f.id});
            for (int k = 0; k < (n.what == kind::sum ? n.b : 2); ++k) {
                monomial part = m;
                const term summand = n.what == kind::sum
                                         ? pool.items[n.a + k]
                                         : term{k == 1 && n.what == kind::subtract ? 1 : 0, k == 0 ? n.a : n.b};
                part.c = times(m.c, summand.c);
                if (summand.id != one) multiply_factor(part, {1, summand.id});
                open.push_back(part);
            }
        }
    }
    for (const monomial& m : vanished) { // for good?
        int i = 0;
        while (i < expanded.count && !expanded.items[i].like(m)) ++i;
        if (i == expanded.count) return false;
    }
    return true;
}

constexpr bool canonical_graph::expands(term factor) {
    const node& n = nodes.items[factor.id];
    if (n.what == kind::sum || n.what == kind::add || n.what == kind::subtract)
        return factor.c > 0 || canonical(factor.id).id != factor.id;
    if (is_square_root(factor.id) && (factor.c > 1 || factor.c < -1)) return true;
    return n.what == kind::product || canonical(factor.id).id != factor.id;
}

// Whether an exponent is a square, or a product of such, with a negative coefficient.
constexpr bool canonical_graph::is_bell_curve(int exponent) {
    const term t = canonical(exponent);
    if (t.is_zero() || !value(t.c).negative() || nodes.items[t.id].what != kind::product) return false;
    const node& n = nodes.items[t.id];
    for (int i = n.a; i < n.a + n.b; ++i)
        if (pool.items[i].c % 2 != 0) return false;
    return true;
}

// The factor by which the exponential of `rest` multiplies, if that takes no call; zero if there is none.
constexpr term canonical_graph::exponential_of(const list<monomial>& rest) {
    term factor{0, one};
    list<monomial> others;
    for (int i = 0; i < rest.count; ++i) {
        const monomial& m = rest.items[i];
        const coefficient c = value(m.c);
        const node& n = nodes.items[m.count == 1 ? m.factors[0].id : one];
        if (n.what == kind::call && n.function == functions::log::position && m.factors[0].c == 1 &&
            c.denominator == 1 && c.numerator >= -2 && c.numerator <= 2)
            factor = multiply(factor, power(canonical(n.a), static_cast<int>(c.numerator)));
        else
            others.push_back(m);
    }
    for (int k = 0; k < exponentials_.count && others.count > 0; ++k) {
        const exponential e = exponentials_.items[k];
        if (!relaxing_ && e.id >= value_count_) break;
        for (int exponent = 1; exponent >= -1; exponent -= 2) {
            list<monomial> fewer = others;
            subtract_exponent(fewer, e, exponent < 0);
            if (fewer.count != others.count - e.count) continue;
            others.swap(fewer);
            factor = multiply(factor, power({0, e.id}, exponent));
        }
    }
    return others.count == 0 ? factor : zero_term;
}

// Subtracts the exponent of an exponential, or of its reciprocal.
constexpr void canonical_graph::subtract_exponent(list<monomial>& from, const exponential& e, bool reciprocal) {
    for (int i = e.first; i < e.first + e.count; ++i) {
        monomial m = monomials_.items[i];
        if (!reciprocal) m.c ^= 1;
        (void)add_monomial(from, m);
    }
}

constexpr void canonical_graph::note_exponential(int id, const list<monomial>& exponent, bool bell) {
    exponentials_.push_back({id, monomials_.count, exponent.count, bell});
    for (const monomial& m : exponent) monomials_.push_back(m);
}

// The calls of exp among the values, if there are few. Without logarithms, curves are not worth a comparison.
constexpr void canonical_graph::note_exponentials_of_values() {
    noted_exponentials_of_values_ = true;
    int calls = 0, logarithms = 0;
    for (int id = 0; id < value_count_; ++id) {
        calls += is_call(id, functions::exp::position) ? 1 : 0;
        logarithms += is_call(id, functions::log::position) ? 1 : 0;
    }
    if (logarithms == 0) {
        work_ = most_work;
        return;
    }
    for (int id = 0; id < value_count_ && calls <= most_exponentials; ++id) {
        list<monomial> exponent;
        if (is_call(id, functions::exp::position) && expand({0, nodes.items[id].a}, exponent))
            note_exponential(id, exponent, false);
    }
}

constexpr term canonical_graph::canonical_exponential(int id) {
    const int argument = nodes.items[id].a;
    list<monomial> exponent;
    if (!is_bell_curve(argument)) {
        // Of relaxed values, from which the next ones may follow.
        if (relaxing_ && exponentials_.count < most_exponentials && work_ < most_work &&
            expand({0, argument}, exponent))
            note_exponential(id, exponent, false);
        return {0, id};
    }
    if (!noted_exponentials_of_values_ && !relaxing_) note_exponentials_of_values();
    if (work_ >= most_work || !expand({0, argument}, exponent)) return {0, id};
    // A term of highest degree must be the same: logarithms and other values have a low one.
    int top = 0;
    for (int i = 1; i < exponent.count; ++i)
        if (exponent.items[i].degree() > exponent.items[top].degree()) top = i;
    int compared = 0;
    for (int k = exponentials_.count - 1; k >= 0 && compared < most_exponentials; --k) {
        const exponential e = exponentials_.items[k];
        if (!e.bell) continue;
        ++compared;
        int same = e.first;
        while (same < e.first + e.count &&
               !(monomials_.items[same].like(exponent.items[top]) && monomials_.items[same].c == exponent.items[top].c))
            ++same;
        if (same == e.first + e.count) continue;
        list<monomial> difference = exponent;
        subtract_exponent(difference, e, false);
        const term factor = exponential_of(difference);
        if (!factor.is_zero()) return multiply(factor, {0, e.id});
    }
    note_exponential(id, exponent, true);
    return {0, id};
}

} // namespace chainrule::graph
