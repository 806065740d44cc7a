// SPDX-License-Identifier: BSL-1.0
//
// Joins the reciprocals of two divisors in programs with relaxed values: if some products divide by u v and others by u
// or v alone, r = 1 / (u v) is the only division, and 1 / u is r v (P. L. Montgomery, "Speeding the Pollard and
// elliptic curve methods of factorization", 1987, inverts several numbers in this way).
#pragma once

#include <chainrule/graph/canonical_graph.hpp>
#include <chainrule/graph/cost.hpp>
#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::optimise {

class reciprocal_joining {
public:
    constexpr reciprocal_joining(const graph_data& g, factored_products& products, const list<term>& outputs)
        : g_(g), d_(products), outputs_(outputs) {}

    constexpr void run() {
        for (int p = 0, all = d_.factored.count; p < all; ++p)
            while (join_two_of(p)) {
            }
    }

private:
    const graph_data& g_;
    factored_products& d_;
    const list<term>& outputs_;
    int work_ = 20000; // bounds the search: literals that are compared, and nodes that are visited
    int product_ = -1; // a factored product that is u v

    // Joins the first two divisors of a product that may be; they are joined with no others then.
    constexpr bool join_two_of(int p) {
        const factored_product m = d_.factored.items[p];
        for (int i = m.first; i < m.first + m.count; ++i)
            for (int k = i + 1; k < m.first + m.count; ++k) {
                const int u = d_.literals.items[i], v = d_.literals.items[k];
                if (!is_divisor(u) || !is_divisor(v) || u == v) continue;
                if (work_ <= 0) return false;
                if (!saves_division(u, v) || !divided_alike(u >> 1, v >> 1)) continue;
                join(u, v);
                return true;
            }
        return false;
    }

    // Whether a literal is the reciprocal of a node.
    [[nodiscard]] constexpr bool is_divisor(int literal) const {
        return literal >= 0 && (literal & 1) != 0 && literal >> 1 < d_.needed.count;
    }
    [[nodiscard]] constexpr int count(const factored_product& m, int literal) const {
        int n = 0;
        for (int i = m.first; i < m.first + m.count; ++i) n += d_.literals.items[i] == literal ? 1 : 0;
        return n;
    }

    // Whether the multiplications that replace a division are cheaper.
    constexpr bool saves_division(int u, int v) {
        product_ = -1;
        int alone = 0;
        for (int p = 0; p < d_.factored.count; ++p) {
            const factored_product& m = d_.factored.items[p];
            work_ -= m.count;
            const int more = count(m, u) - count(m, v);
            alone += more < 0 ? -more : more;
            if (m.count == 2 && m.c == 0 && m.guards == 0 && count(m, u - 1) == 1 && count(m, v - 1) == 1) product_ = p;
        }
        const int multiplications = alone + (product_ < 0 ? 1 : 0);
        return alone != 0 && multiplications * graph::operation_cost::multiplication < graph::operation_cost::division;
    }

    // Whether each output that is divided by one of the two is divided by the other, too: at a zero of one of them, the
    // other outputs must stay as they are, and in conditionals the arm that is taken. The two must not be divided by
    // each other.
    [[nodiscard]] constexpr bool divided_alike(int u, int v) {
        work_ -= d_.needed.count;
        list<int> divided(d_.needed.count); // by node: 1 by u, 2 by v
        for (int id = 0; id < d_.needed.count; ++id) {
            if (g_.is_condition(id) || g_.is_share(id)) return false;
            const node m = g_.nodes.items[id];
            int found = 0;
            if (m.what >= kind::sum) {
                for (int i = m.a; i < m.a + m.b; ++i) {
                    const term f = g_.pool.items[i];
                    found |= divided_in(f.id, u, v, divided);
                    if (m.what == kind::product && f.c < 0) found |= f.id == u ? 1 : f.id == v ? 2 : 0;
                }
                if (d_.factors_of.items[id] >= 0) found |= divided_by_factors(d_.factors_of.items[id], u, v, divided);
            } else if (m.what >= kind::negate) {
                found = divided.items[m.a] | (m.b >= 0 ? divided.items[m.b] : 0);
                if (m.what == kind::divide) found |= m.b == u ? 1 : m.b == v ? 2 : 0;
            }
            divided.items[id] = found;
        }
        for (const term& t : outputs_) {
            const int found = t.is_zero() ? 0 : divided_in(t.id, u, v, divided);
            if (found == 1 || found == 2) return false;
        }
        return divided.items[u] == 0 && divided.items[v] == 0;
    }
    // Of a node, or of a product that is none: a multiple of a value, or a joined product.
    [[nodiscard]] constexpr int divided_in(int id, int u, int v, const list<int>& divided) const {
        return id < d_.needed.count ? divided.items[id] : divided_by_factors(d_.factors_of.items[id], u, v, divided);
    }
    [[nodiscard]] constexpr int divided_by_factors(int p, int u, int v, const list<int>& divided) const {
        int found = 0;
        for (int i = d_.factored.items[p].first; i < d_.factored.items[p].first + d_.factored.items[p].count; ++i) {
            const int l = d_.literals.items[i];
            if (l >= 0) found |= divided_in(l >> 1, u, v, divided);
            if (is_divisor(l)) found |= l >> 1 == u ? 1 : l >> 1 == v ? 2 : 0;
        }
        return found;
    }

    constexpr void join(int u, int v) {
        const int old = d_.factored.count;
        const int product = product_ < 0 ? d_.add_pair(u - 1, v - 1) : d_.factored.items[product_].id;
        for (int p = 0; p < old; ++p) {
            const factored_product m = d_.factored.items[p];
            const int us = count(m, u), vs = count(m, v), most = us < vs ? vs : us;
            if (most == 0) continue;
            const int begin = d_.literals.count;
            for (int i = m.first; i < m.first + m.count; ++i) {
                const int l = d_.literals.items[i];
                if (l != u && l != v) d_.literals.push_back(l);
            }
            for (int i = 0; i < most; ++i) d_.literals.push_back(2 * product + 1);
            for (int i = us; i < most; ++i) d_.literals.push_back(u - 1);
            for (int i = vs; i < most; ++i) d_.literals.push_back(v - 1);
            d_.factored.items[p] = {begin, d_.literals.count - begin, m.id, m.c, m.guards};
        }
    }
};

} // namespace chainrule::optimise
