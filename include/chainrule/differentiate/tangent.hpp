// SPDX-License-Identifier: BSL-1.0
//
// Forward mode: a forward sweep adds to the graph the derivative of every node along a direction in the space of the
// variables. One sweep along each coordinate axis gives a Jacobian with many rows.
#pragma once

#include <chainrule/differentiate/partials.hpp>
#include <chainrule/differentiate/paused_sweep.hpp>

namespace chainrule::differentiate {

/// Forward sweeps over a graph, along directions in the space of chosen variable nodes.
class tangent_sweep {
public:
    constexpr tangent_sweep(canonical_graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `tangents` the derivatives of `outputs`, which are terms of the graph, along the direction with the
    /// coordinates `direction`: one canonical term per variable, which may be zero.
    constexpr void run(const list<term>& outputs, const list<term>& direction, list<term>& tangents) {
        paused_sweep never;
        start(outputs, direction, tangents, 1 << 30, never);
    }

    /// Like run(), but pauses after that much effort of the graph. Then `state` describes the rest, and resume()
    /// continues the sweep over the same graph.
    constexpr void start(const list<term>& outputs, const list<term>& direction, list<term>& tangents, int effort,
                         paused_sweep& state) {
        find_nodes(outputs);
        tangents_ = list<term>(needed_.count, graph::zero_term);
        for (int i = 0; i < variables_.count; ++i)
            if (variables_.items[i] < needed_.count) tangents_.items[variables_.items[i]] = direction.items[i];
        sweep_until_budget(0, outputs, tangents, effort, state);
    }
    constexpr void resume(const list<term>& outputs, list<term>& tangents, int effort, paused_sweep& state) {
        find_nodes(outputs);
        tangents_.swap(state.tangents);
        sweep_until_budget(state.next, outputs, tangents, effort, state);
    }
    /// The same along the axis of variable number `column`, which visits only the nodes that depend on it.
    constexpr void start_column(const list<term>& outputs, int column, list<term>& tangents, int effort,
                                paused_sweep& state) {
        find_nodes_of(column, outputs);
        tangents_ = list<term>(needed_.count, graph::zero_term);
        if (variables_.items[column] < needed_.count)
            tangents_.items[variables_.items[column]] = {0, canonical_graph::one};
        sweep_until_budget(0, outputs, tangents, effort, state);
    }
    constexpr void resume_column(const list<term>& outputs, int column, list<term>& tangents, int effort,
                                 paused_sweep& state) {
        find_nodes_of(column, outputs);
        tangents_.swap(state.tangents);
        sweep_until_budget(state.next, outputs, tangents, effort, state);
    }

    /// The work of the last sweep besides the effort of the graph, in nodes that were visited.
    [[nodiscard]] constexpr int visits() const { return size_of_graph(graph_); }

private:
    canonical_graph& graph_;
    const list<int>& variables_;
    list<term> tangents_; // by node
    // Of each node those among up to 64 directions along which outputs need its derivative; a sweep is along one. Of
    // columns, the first of the variables whose axes these are.
    list<set_of_64> needed_;
    set_of_64 direction_ = 1;
    int first_column_ = -1;

    // A sweep along any direction visits all nodes that outputs need.
    constexpr void find_nodes(const list<term>& outputs) {
        needed_ = find_needed<set_of_64>(graph_, outputs);
        direction_ = 1;
        first_column_ = -1;
    }
    // All columns have the same outputs.
    constexpr void find_nodes_of(int column, const list<term>& outputs) {
        direction_ = set_of_64{1} << column % 64;
        if (first_column_ == column / 64 * 64) return;
        first_column_ = column / 64 * 64;
        const list<bool> needed = find_needed(graph_, outputs);
        needed_ = find_variables(graph_, variables_, needed.count, first_column_, 1);
        for (int id = 0; id < needed.count; ++id)
            if (!needed.items[id]) needed_.items[id] = 0;
    }

    constexpr void sweep_until_budget(int id, const list<term>& outputs, list<term>& tangents, int effort,
                                      paused_sweep& state) {
        int left = effort + graph_.effort();
        for (; id < needed_.count && graph_.effort() < left; ++id) {
            if ((needed_.items[id] & direction_) == 0 || graph_.nodes.items[id].what == kind::variable) continue;
            tangents_.items[id] = tangent(id);
            --left; // operands are read even where nothing is new
        }
        state.next = id < needed_.count ? id : -1;
        if (state.next >= 0) return state.tangents.swap(tangents_);
        for (int i = 0; i < outputs.count; ++i) {
            const term t = outputs.items[i];
            const term along = t.is_zero() ? graph::zero_term : tangents_.items[t.id];
            tangents.push_back(along.is_zero() ? graph::zero_term : term{graph_.times(t.c, along.c), along.id});
        }
    }
    constexpr term tangent(int id) {
        canonical_graph& g = graph_;
        const int bottom = g.mark();
        const int operands = g.operand_count(id);
        for (int k = 0; k < operands; ++k) {
            const term along = tangents_.items[g.operand_of(id, k)];
            if (!along.is_zero()) g.push_term(g.multiply(along, partial(g, id, k)));
        }
        return g.sum_since(bottom);
    }
};

} // namespace chainrule::differentiate
