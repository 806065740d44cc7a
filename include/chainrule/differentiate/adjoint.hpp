// SPDX-License-Identifier: BSL-1.0
//
// Reverse mode: one reverse sweep per output adds the derivatives to the graph, so the cost of a gradient does not grow
// with the number of variables. If there are fewer variables than outputs, forward sweeps (differentiate/tangent.hpp)
// cost less.
#pragma once

#include <chainrule/differentiate/partials.hpp>
#include <chainrule/differentiate/paused_sweep.hpp>

#include <bit>

namespace chainrule::differentiate {

/// Reverse sweeps over a graph, with respect to chosen variable nodes.
class adjoint_sweep {
public:
    /// Differentiates with respect to the nodes in `variables`, which are variable (or any other value) nodes of g.
    constexpr adjoint_sweep(canonical_graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `gradient` the derivatives of `output` with respect to the variables, from number `first` on.
    constexpr void run(term output, list<term>& gradient, int first = 0) {
        contributions_.truncate(0);
        if (!output.is_zero()) {
            extend(output.id + 1);
            contribute(output.id, {output.c, canonical_graph::one});
        }
        (void)descend(output.id, any_size);
        copy_adjoints_to(gradient, first);
    }

    /// Like run(), but pauses after that much effort of the graph. Then `state` describes the rest, and
    /// resume() continues the sweep over the same graph.
    constexpr void start(term output, list<term>& gradient, int effort, paused_sweep& state, int first = 0) {
        contributions_.truncate(0);
        forget_variables();
        state.summed = first;
        if (effort == 0 && output.c == 0 && !output.is_zero()) { // all of it is left to resume()
            state.next = output.id;
            state.variables = variables_;
            return;
        }
        if (!output.is_zero()) {
            extend(output.id + 1);
            contribute(output.id, {output.c, canonical_graph::one});
        }
        sweep_until_budget(output.id, gradient, effort, state);
    }
    /// The same for the sum of weights times outputs, which are nodes of g.
    constexpr void start(const list<term>& outputs, const list<term>& weights, list<term>& gradient, int effort,
                         paused_sweep& state) {
        state.summed = 0;
        sweep_until_budget(begin_weighted(outputs, weights), gradient, effort, state);
    }
    constexpr void resume(list<term>& gradient, int effort, paused_sweep& state) {
        heads_.swap(state.heads);
        depends_.swap(state.depends);
        contributions_.swap(state.contributions);
        contributed_.resize(heads_.count / word_size + 1, 0);
        for (int id = 0; id < heads_.count; ++id)
            if (heads_.items[id] >= 0)
                graph_.nodes.items[id].what == kind::variable ? reached_.push_back(id) : mark(id);
        if (heads_.count == 0) {
            extend(state.next + 1);
            contribute(state.next, {0, canonical_graph::one});
            if (effort > heads_.count / 8) effort -= heads_.count / 8;
        }
        sweep_until_budget(state.next, gradient, effort, state);
    }

    /// The work of the last sweep besides the effort of the graph, in nodes that were visited.
    [[nodiscard]] constexpr int visits() const {
        return contributions_.count + heads_.count / word_size + variables_.count / 4;
    }

private:
    // The size of a graph up to which the last piece of a gradient includes its sums, and the contributions in these
    // sums: half of what a further piece of them may have.
#if defined(__clang__)
    static constexpr int most_with_sums = 5000, most_summed = 1500;
#else
    static constexpr int most_with_sums = 15000, most_summed = 3000;
#endif
    static constexpr int most_guarded = 800;
    // The effort that each sum may take besides the reading of its contributions.
    static constexpr int free_effort = 8;
    // No graph gets larger.
    static constexpr int any_size = 1 << 30;

    // The values up to which a product of all of them is one piece.
    static constexpr int most_in_one_piece = 1000;
    [[nodiscard]] constexpr bool needs_operands(int id) const {
        return kind::multiply <= graph_.nodes.items[id].what && graph_.nodes.items[id].what <= kind::call;
    }

    // Sweeps from node `id` down until that much effort was made, and returns where it stopped. Contributions that did
    // not add to the graph count, too.
    constexpr int descend(int id, int effort) {
        const int most = graph_.effort() + effort, before = contributions_.count;
        const bool may_pause = graph_.value_count() > most_in_one_piece;
        for (; id >= 0 && graph_.effort() + 3 * (contributions_.count - before) < most; --id) {
            if (heads_.items[id] < 0) {
                id = last_contributed(id);
                if (id < 0) break;
            }
            if (graph_.nodes.items[id].what == kind::variable) {
                reached_.push_back(id);
                unmark(id);
                continue;
            }
            if (may_pause && needs_operands(id) && !graph_.expand_operands(id, most)) break;
            if (may_pause && effort < any_size / 2 && take_part(id)) {
                ++id; // the rest in another round
                continue;
            }
            propagate(id, take(id));
        }
        return id;
    }
    constexpr void copy_adjoints_to(list<term>& gradient, int first) {
        for (int i = first; i < variables_.count; ++i) gradient.push_back(take(variables_.items[i], true));
        forget_variables();
    }
    // Discards the contributions to variables whose derivatives were not requested.
    constexpr void forget_variables() {
        for (const int id : reached_) heads_.items[id] = -1;
        reached_.truncate(0);
    }
    constexpr void sweep_until_budget(int from, list<term>& gradient, int effort, paused_sweep& state) {
        const int before = graph_.effort();
        state.next = descend(from, effort);
        const int growth = graph_.effort() - before;
        // The sums of a large gradient are pieces of their own, in which there is no node to go down from.
        if (state.next < 0 && growth > effort / 4) state.next = graph_.nodes.count > most_with_sums ? 0 : -1;
        if (state.next < 0 && copy_next_adjoints_to(gradient, from == 0, effort, state)) return;
        if (state.next < 0) state.next = 0;
        state.variables = variables_;
        state.heads.swap(heads_);
        state.depends.swap(depends_);
        state.contributions.swap(contributions_);
    }
    // Returns false if some are left after as many contributions as a piece may have. `alone`: the piece has sums only,
    // and so at least one.
    constexpr bool copy_next_adjoints_to(list<term>& gradient, bool alone, int effort, paused_sweep& state) {
        int left = (alone ? 2 : 1) * (effort / 8 > most_summed ? effort / 8 : most_summed);
        const int first = state.summed, each = graph_.is_conditional() ? 3 : 1; // guards are compared, too
        for (int& v = state.summed; v < variables_.count; ++v) {
            const int id = variables_.items[v];
            if (id >= heads_.count || heads_.items[id] < 0) {
                gradient.push_back(graph::zero_term);
                continue;
            }
            const int before = graph_.effort();
            for (int i = heads_.items[id]; i >= 0; i = contributions_.items[i].next) left -= each;
            if (left < 0 && (v > first || !alone)) return false;
            if (effort < any_size / 2 && take_part(id)) return false;
            gradient.push_back(take(id, true));
            if (const int further = graph_.effort() - before - free_effort; further > 0) left -= further / 4;
        }
        return true;
    }

    canonical_graph& graph_;
    const list<int>& variables_;
    list<int> heads_;
    list<bool> depends_;
    list<contribution> contributions_;
    // The nodes with contributions, which depend on a variable, as bits: a row of a sparse Hessian reaches few nodes of
    // a large graph.
    static constexpr int word_size = 64;
    list<unsigned long long> contributed_;
    list<int> reached_; // variables

    constexpr void mark(int id) { contributed_.items[id / word_size] |= 1ULL << id % word_size; }
    constexpr void unmark(int id) { contributed_.items[id / word_size] &= ~(1ULL << id % word_size); }
    // The last node up to this one that has contributions, or -1.
    [[nodiscard]] constexpr int last_contributed(int id) const {
        int word = id / word_size;
        if (word >= contributed_.count) word = contributed_.count - 1;
        if (word < 0) return -1;
        unsigned long long bits = contributed_.items[word];
        if (word == id / word_size) bits &= ~0ULL >> (word_size - 1 - id % word_size);
        while (bits == 0 && --word >= 0) bits = contributed_.items[word];
        if (word < 0) return -1;
        return (word + 1) * word_size - 1 - std::countl_zero(bits);
    }

    // Contributes the weights to the outputs. Returns the last of these nodes.
    constexpr int begin_weighted(const list<term>& outputs, const list<term>& weights) {
        int top = -1;
        for (int i = 0; i < outputs.count; ++i)
            if (outputs.items[i].id > top) top = outputs.items[i].id;
        contributions_.truncate(0);
        extend(top + 1);
        for (int i = outputs.count - 1; i >= 0; --i)
            contribute(outputs.items[i].id,
                       graph_.multiply(weights.items[i], {outputs.items[i].c, canonical_graph::one}));
        return top;
    }

    constexpr void extend(int size) {
        heads_.resize(size, -1);
        contributed_.resize(size / word_size + 1, 0);
        find_dependent(graph_, variables_, depends_, size);
    }

    constexpr void contribute(int id, term t) {
        if (t.id < 0 || !depends_.items[id]) return;
        contributions_.push_back({t, heads_.items[id]});
        heads_.items[id] = contributions_.count - 1;
        mark(id);
    }

    // Whether a node has more contributions than one evaluation can sum where terms have guards. If so, sums some of
    // them.
    constexpr bool take_part(int id) {
        if (!graph_.is_conditional() || id >= heads_.count) return false;
        int count = 0, last = -1;
        for (int i = heads_.items[id]; i >= 0; i = contributions_.items[i].next) ++count, last = i;
        if (count <= most_guarded) return false;
        const int bottom = graph_.mark();
        int i = heads_.items[id];
        for (int k = 0; k < most_guarded; ++k, i = contributions_.items[i].next)
            graph_.push_term(contributions_.items[i].value);
        heads_.items[id] = i;
        contributions_.items[last].next = contributions_.count;
        contributions_.push_back({graph_.sum_since(bottom), -1});
        return true;
    }

    // The sum of the contributions to a node, in the opposite order of the sweep, which is that of the expression.
    constexpr term take(int id, bool result = false) {
        if (id >= heads_.count) return graph::zero_term;
        int i = heads_.items[id];
        if (i < 0) return graph::zero_term;
        heads_.items[id] = -1;
        unmark(id);
        if (contributions_.items[i].next < 0) return contributions_.items[i].value;
        const int bottom = graph_.mark();
        for (; i >= 0; i = contributions_.items[i].next) graph_.push_term(contributions_.items[i].value);
        return graph_.sum_since(bottom, result);
    }

    constexpr void propagate(int id, term adjoint) {
        if (adjoint.is_zero()) return;
        canonical_graph& g = graph_;
        const node n = g[id];
        // The frequent rules of partials.hpp, without products by 1, and without a switch: clang counts each skipped
        // case as a step.
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
            for (int k = g.operand_count(id) - 1; k >= 0; --k) {
                const int operand = g.operand_of(id, k);
                if (depends_.items[operand]) contribute(operand, g.multiply(adjoint, partial(g, id, k)));
            }
        }
    }
};

} // namespace chainrule::differentiate
