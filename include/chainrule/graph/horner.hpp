// SPDX-License-Identifier: BSL-1.0
//
// Sums of relaxed values by Horner's rule: a x^2 + b x + c is (a x + b) x + c, in any node x and with any products of
// other nodes as coefficients, where that takes fewer operations.
#pragma once

#include <chainrule/graph/canonical_graph.hpp>

namespace chainrule::graph {

template <class Graph>
class horner_rule {
public:
    constexpr explicit horner_rule(Graph& g) : g_(g) {}

    /// The sum of terms that differ, without conditions.
    constexpr term sum(const list<term>& terms) {
        const int base = terms.count < 2 || terms.count > most_terms ? -1 : best_base(terms);
        const int bottom = g_.mark();
        if (base < 0) {
            for (const term t : terms) g_.push_term(t);
            return g_.sum_since(bottom);
        }
        int least = most_degree;
        for (const term t : terms)
            if (const int e = exponent(t, base); e > 0 && e < least) least = e;
        list<term> inner;
        for (const term t : terms) {
            if (exponent(t, base) > 0)
                inner.push_back(g_.without_factor(t, {least, base}));
            else
                g_.push_term(t);
        }
        const term factor = sum(inner);
        g_.push_term(g_.multiply(factor, g_.power({0, base}, least)));
        return g_.sum_since(bottom);
    }

private:
    // Longer sums are not searched. A term of higher degree would be rounded more often than a power.
    static constexpr int most_terms = 24, most_degree = 12;
    Graph& g_;

    [[nodiscard]] constexpr int exponent(term t, int base) const {
        const node& n = g_[t.id];
        if (n.what != kind::product) return t.id == base ? 1 : 0;
        for (int i = n.a; i < n.a + n.b; ++i)
            if (g_.pool.items[i].id == base) return g_.pool.items[i].c;
        return 0;
    }

    // The factor for which the rule saves most, or -1.
    [[nodiscard]] constexpr int best_base(const list<term>& terms) const {
        int best = -1, most = 0;
        for (const term t : terms) {
            const node& n = g_[t.id];
            if (n.what != kind::product) continue;
            for (int i = n.a; i < n.a + n.b; ++i) {
                const term f = g_.pool.items[i];
                if (f.c < 2 || f.c > most_degree || f.id == best) continue;
                if (const int gain = saved(terms, f.id); gain > most) best = f.id, most = gain;
            }
        }
        return best;
    }

    // The products that take a number to these powers, each from smaller ones.
    [[nodiscard]] static constexpr int products_of_powers(const bool (&powers)[most_degree + 1]) {
        int count = 0;
        for (int e = 2; e <= most_degree; ++e) {
            if (!powers[e]) continue;
            for (int n = count == 0 ? e : 2; n > 1; n /= 2) count += 1 + n % 2;
        }
        return count;
    }

    // The products that the rule saves for a base: those of powers, less those of the gaps between them. Where the base
    // is a term itself and none is left over, a sum becomes a product in turn.
    [[nodiscard]] constexpr int saved(const list<term>& terms, int base) const {
        bool powers[most_degree + 1]{}, gaps[most_degree + 1]{};
        for (const term t : terms) {
            const int e = exponent(t, base);
            if (e < 0 || e > most_degree) return 0;
            powers[e] = true;
        }
        int count = 0, last = 0;
        for (int e = 1; e <= most_degree; ++e) {
            if (!powers[e]) continue;
            ++count;
            gaps[e - last] = true;
            last = e;
        }
        if (count < 2) return 0;
        return products_of_powers(powers) - products_of_powers(gaps) - (powers[0] || !powers[1] ? 0 : 1);
    }
};

} // namespace chainrule::graph
