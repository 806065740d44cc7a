// SPDX-License-Identifier: BSL-1.0
//
// Forward mode: a forward sweep adds to the graph the derivative of every node along a direction in the space of the
// variables. One sweep along each coordinate axis gives a Jacobian with many rows.
#pragma once

#include <chainrule/differentiate/partials.hpp>

namespace chainrule::differentiate {

/// Forward sweeps over a graph, along directions in the space of chosen variable nodes.
class tangent_sweep {
public:
    constexpr tangent_sweep(canonical_graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `tangents` the derivatives of `outputs`, which are terms of the graph, along the direction with the
    /// coordinates `direction`: one canonical term per variable, which may be zero.
    constexpr void run(const list<term>& outputs, const list<term>& direction, list<term>& tangents) {
        const list<bool> needed = find_needed(graph_, outputs);
        const int size = needed.count;
        tangents_ = list<term>(size, graph::zero_term);
        for (int i = 0; i < variables_.count; ++i)
            if (variables_.items[i] < size) tangents_.items[variables_.items[i]] = direction.items[i];
        for (int id = 0; id < size; ++id)
            if (needed.items[id] && graph_.nodes.items[id].what != kind::variable) tangents_.items[id] = tangent(id);
        for (int i = 0; i < outputs.count; ++i) {
            const term t = outputs.items[i];
            const term along = t.is_zero() ? graph::zero_term : tangents_.items[t.id];
            tangents.push_back(along.is_zero() ? graph::zero_term : term{graph_.times(t.c, along.c), along.id});
        }
    }

private:
    canonical_graph& graph_;
    const list<int>& variables_;
    list<term> tangents_; // by node

    constexpr term tangent(int id) {
        canonical_graph& g = graph_;
        const int bottom = g.mark();
        const int operands = operand_count(g, id);
        for (int k = 0; k < operands; ++k) {
            const term along = tangents_.items[operand_of(g, id, k)];
            if (!along.is_zero()) g.push_term(g.multiply(along, partial(g, id, k)));
        }
        return g.sum_since(bottom);
    }
};

} // namespace chainrule::differentiate
