// SPDX-License-Identifier: BSL-1.0
//
// How is a graph differentiated? By one reverse sweep per output, which adds the derivatives to the same graph. The
// cost of a gradient therefore does not grow with the number of variables. Where there are fewer variables than
// outputs, forward sweeps cost less: program/tangent.hpp.
#pragma once

#include <chainrule/program/partials.hpp>

namespace chainrule::program {

/// Reverse sweeps over a graph, with respect to chosen variable nodes.
class adjoint_sweep {
public:
    /// Derivatives are wanted by the nodes in `variables`, which are variable (or any other value) nodes of g.
    constexpr adjoint_sweep(graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `gradient` the derivative of `output` by each of the variables, from number `first` on.
    constexpr void run(term output, list<term>& gradient, int first = 0) {
        contributions_.truncate(0);
        if (!output.is_zero()) {
            extend(output.id + 1);
            contribute(output.id, {output.c, graph::one});
        }
        sweep_down(output.id, gradient, first);
    }

    /// Appends to `gradient` the derivatives of the sum of weights times outputs, which are nodes of g.
    constexpr void run(const list<term>& outputs, const list<term>& weights, list<term>& gradient) {
        int top = -1;
        for (int i = 0; i < outputs.count; ++i)
            if (outputs.items[i].id > top) top = outputs.items[i].id;
        contributions_.truncate(0);
        extend(top + 1);
        for (int i = outputs.count - 1; i >= 0; --i)
            contribute(outputs.items[i].id, graph_.multiply(weights.items[i], {outputs.items[i].c, graph::one}));
        sweep_down(top, gradient, 0);
    }

private:
    constexpr void sweep_down(int top, list<term>& gradient, int first) {
        for (int id = top; id >= 0; --id) {
            if (heads_.items[id] < 0 || !depends_.items[id] || graph_.nodes.items[id].what == kind::variable) continue;
            propagate(id, take(id));
        }
        for (int i = first; i < variables_.count; ++i) gradient.push_back(take(variables_.items[i]));
        // What does not lead to a variable has collected contributions for nothing.
        for (int id = 0; id <= top; ++id) heads_.items[id] = -1;
    }

    struct contribution {
        term value;
        int next = -1;
    };

    graph& graph_;
    const list<int>& variables_;
    list<int> heads_;
    list<bool> depends_;
    list<contribution> contributions_;

    constexpr void extend(int size) {
        heads_.resize(size, -1);
        find_dependent(graph_, variables_, depends_, size);
    }

    constexpr void contribute(int id, term t) {
        if (t.id < 0 || !depends_.items[id]) return;
        contributions_.push_back({t, heads_.items[id]});
        heads_.items[id] = contributions_.count - 1;
    }

    // The sum of the contributions to a node. They come in the order opposite to the sweep's: that of the expression.
    constexpr term take(int id) {
        if (id >= heads_.count) return {};
        int i = heads_.items[id];
        heads_.items[id] = -1;
        if (i < 0) return {};
        if (contributions_.items[i].next < 0) return contributions_.items[i].value;
        const int bottom = graph_.mark();
        for (; i >= 0; i = contributions_.items[i].next) graph_.push_term(contributions_.items[i].value);
        return graph_.sum_since(bottom);
    }

    constexpr void propagate(int id, term adjoint) {
        if (adjoint.is_zero()) return;
        graph& g = graph_;
        const node n = g[id];
        // The frequent ones of the rules in partials.hpp, without a product where a factor is 1, and no switch: clang
        // counts each case that it skips as a step.
        if (n.what == kind::multiply) {
            if (depends_.items[n.b]) contribute(n.b, g.multiply(adjoint, g.canonical(n.a)));
            if (depends_.items[n.a]) contribute(n.a, g.multiply(adjoint, g.canonical(n.b)));
        } else if (n.what == kind::add || n.what == kind::subtract) {
            contribute(n.b, n.what == kind::add ? adjoint : -adjoint);
            contribute(n.a, adjoint);
        } else if (n.what == kind::negate) {
            contribute(n.a, -adjoint);
        } else if (n.what == kind::divide) {
            const term scaled = g.multiply(adjoint, g.power(g.canonical(n.b), -1));
            if (depends_.items[n.b]) contribute(n.b, -g.multiply(scaled, g.canonical(id)));
            if (depends_.items[n.a]) contribute(n.a, scaled);
        } else if (n.what == kind::call) {
            if (n.b >= 0 && depends_.items[n.b]) contribute(n.b, g.multiply(adjoint, local_derivative(g, id, 1)));
            if (depends_.items[n.a]) contribute(n.a, g.multiply(adjoint, local_derivative(g, id, 0)));
        } else if (n.what == kind::sum) {
            for (int i = n.b - 1; i >= 0; --i) {
                const term t = g.pool.items[n.a + i];
                contribute(t.id, {g.times(adjoint.c, t.c), adjoint.id});
            }
        } else {
            for (int k = operand_count(g, id) - 1; k >= 0; --k) {
                const int operand = operand_of(g, id, k);
                if (depends_.items[operand]) contribute(operand, g.multiply(adjoint, partial(g, id, k)));
            }
        }
    }
};

} // namespace chainrule::program
