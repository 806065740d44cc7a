// SPDX-License-Identifier: BSL-1.0
//
// The nodes of a graph that its outputs need, those that they need as values, and those in which factors cancel. With
// this, optimise/products.hpp decides what products are computed from.
#pragma once

#include <chainrule/optimise/shared_products.hpp>

namespace chainrule::optimise {

constexpr void mark_needed_outputs(const graph_data& g, const list<term>& outputs, factored_products& products) {
    for (int i = 0; i < outputs.count; ++i) {
        const int id = outputs.items[i].id;
        if (id < 0) continue;
        products.needed.items[id] = true;
        products.as_written.items[id] = g.nodes.items[id].what < kind::sum;
    }
}

/// Marks the nodes that the outputs need, and those among them that are needed as values. Returns the values that are
/// outputs, or operands of values other than sums.
constexpr list<bool> mark_needed(const graph_data& g, const list<term>& outputs, factored_products& products) {
    const int n = g.size();
    products.needed = list<bool>(n);
    products.as_written = list<bool>(n);
    mark_needed_outputs(g, outputs, products);
    mark_needed_outputs(g, g.intermediate, products);
    list<bool> apart = products.as_written;
    for (int id = n - 1; id >= 0; --id) {
        if (!products.needed.items[id]) continue;
        const node& m = g.nodes.items[id];
        if (m.what >= kind::sum) {
            for (int i = 0; i < m.b; ++i) {
                products.needed.items[g.pool.items[m.a + i].id] = true;
                if (m.what < kind::select) continue;
                products.as_written.items[g.pool.items[m.a + i].id] = apart.items[g.pool.items[m.a + i].id] = true;
            }
        } else if (m.what >= kind::negate) {
            products.needed.items[m.a] = products.as_written.items[m.a] = true;
            if (m.b >= 0) products.needed.items[m.b] = products.as_written.items[m.b] = true;
            if (m.what == kind::add || m.what == kind::subtract) continue;
            apart.items[m.a] = true;
            if (m.b >= 0) apart.items[m.b] = true;
        }
    }
    return apart;
}

/// The number of factors of a product, counted with powers.
[[nodiscard]] constexpr int weight_of(const graph_data& g, int id) {
    const node& m = g.nodes.items[id];
    if (m.what != kind::product) return id == graph_data::one ? 0 : 1;
    int weight = 0;
    for (int i = m.a; i < m.a + m.b; ++i) weight += g.pool.items[i].c < 0 ? -g.pool.items[i].c : g.pool.items[i].c;
    return weight;
}

/// Of the first n nodes, the values in which factors cancel. If such a value is NaN, as (x / y) * y is for y = 0, the
/// requested result is NaN too, unless the value belongs to an untaken arm: then nothing else may be computed from it.
[[nodiscard]] constexpr list<bool> values_that_cancel(const graph_data& g, int n) {
    list<bool> cancels(n);
    bool conditional = false;
    for (int id = 0; id < n && !conditional; ++id) conditional = g.is_condition(id) || g.is_share(id);
    for (int id = 0; id < n && conditional; ++id) {
        const node& m = g.nodes.items[id];
        if (m.what < kind::negate || m.what > kind::divide) continue;
        if (m.what == kind::add || m.what == kind::subtract) continue;
        cancels.items[id] = cancels.items[m.a] || (m.b >= 0 && cancels.items[m.b]);
        const term whole = g.canonical_terms.items[id];
        if (m.b < 0 || whole.is_zero() || cancels.items[id]) continue;
        const term a = g.canonical_terms.items[m.a], b = g.canonical_terms.items[m.b];
        if (!a.is_zero() && !b.is_zero())
            cancels.items[id] = weight_of(g, whole.id) < weight_of(g, a.id) + weight_of(g, b.id);
    }
    return cancels;
}

} // namespace chainrule::optimise
