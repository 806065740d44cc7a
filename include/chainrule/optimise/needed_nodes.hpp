// SPDX-License-Identifier: BSL-1.0
//
// The nodes of a graph that its outputs need, and those that they need as values. With this, optimise/products.hpp
// decides what products are computed from.
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
            // What guards products is used as it is, and not with another scale.
            if (m.function == graph::guards_as_sum && m.what < kind::select) products.as_written.items[id] = true;
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

} // namespace chainrule::optimise
