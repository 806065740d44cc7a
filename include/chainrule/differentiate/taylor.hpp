// SPDX-License-Identifier: BSL-1.0
//
// Taylor coefficients of every node, order by order, from those of its operands: the effort grows with the square of
// the order, while that of repeated differentiation grows exponentially. Functions need no special rule: y' = sum of
// partial derivative times operand' is an equation between series, and the partial derivatives are nodes.
#pragma once

#include <chainrule/differentiate/partials.hpp>
#include <chainrule/differentiate/paused_sweep.hpp>

namespace chainrule::differentiate {

class taylor_sweep {
public:
    constexpr taylor_sweep(canonical_graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `coefficients` the coefficients of t^0 to t^order of the output at the point plus t times the
    /// direction, given as in tangent_sweep. Pauses after that much effort of the graph; then `state` describes the
    /// rest, and resume() continues the sweep over the same graph.
    constexpr void start(term output, const list<term>& direction, int order, list<term>& coefficients, int effort,
                         paused_sweep& state) {
        order_ = order;
        if (!output.is_zero()) need(output.id, order);
        sweep_until_budget(output, direction, 0, coefficients, effort, state);
    }
    constexpr void resume(term output, const list<term>& direction, int order, list<term>& coefficients, int effort,
                          paused_sweep& state) {
        order_ = order;
        exchange(state);
        sweep_until_budget(output, direction, state.next, coefficients, effort, state);
    }

private:
    canonical_graph& graph_;
    const list<int>& variables_;
    int order_ = 0;
    list<int> orders_;        // by node: up to which order its coefficients are needed, -1 for not at all
    list<int> waiting_;       // nodes whose operands still need this information
    list<int> partials_;      // by node: the first of its partial derivatives, -1 for none, -2 if not yet created
    list<contribution> made_; // partial derivatives, and by which operands:
    list<int> operands_;
    list<bool> depends_;
    list<term> coefficients_; // by node and order

    constexpr term& at(int id, int k) { return coefficients_.items[id * (order_ + 1) + k]; }

    constexpr void need(int id, int order) {
        if (id >= orders_.count) {
            orders_.resize(graph_.size(), -1);
            partials_.resize(graph_.size(), -2);
        }
        if (orders_.items[id] >= order) return;
        orders_.items[id] = order;
        waiting_.push_back(id);
    }

    // Whether a node has a special rule below; the others use their partial derivatives.
    [[nodiscard]] static constexpr bool is_arithmetic(kind what) {
        return what == kind::add || what == kind::subtract || what == kind::multiply || what == kind::divide ||
               what == kind::negate || what == kind::sum;
    }

    constexpr void exchange(paused_sweep& state) {
        orders_.swap(state.heads);
        waiting_.swap(state.waiting);
        partials_.swap(state.partials);
        made_.swap(state.contributions);
        operands_.swap(state.operands);
        depends_.swap(state.depends);
        coefficients_.swap(state.tangents);
    }
    // From a place on: a node in an order. Before any, the partial derivatives are found.
    constexpr void sweep_until_budget(term output, const list<term>& direction, int place, list<term>& coefficients,
                                      int effort, paused_sweep& state) {
        int left = effort + graph_.effort();
        if (place == 0 && find_partials(left)) {
            coefficients_ = list<term>(orders_.count * (order_ + 1), graph::zero_term);
            start_from(direction);
            place = orders_.count;
        }
        const int count = orders_.count, end = count * (order_ + 1);
        for (; place != 0 && place < end && graph_.effort() < left; ++place) {
            const int k = place / count, id = place % count;
            if (orders_.items[id] < k || !depends_.items[id] || graph_.nodes.items[id].what == kind::variable) continue;
            at(id, k) = whole(next_coefficient(id, k));
            --left; // operands are read even where nothing is new
        }
        state.next = place < end ? place : -1;
        if (state.next >= 0) return exchange(state);
        coefficients.push_back(output);
        for (int k = 1; k <= order_; ++k) coefficients.push_back(coefficient_of(output, k));
    }

    // Returns false if some are left.
    constexpr bool find_partials(int& left) {
        while (!waiting_.empty()) {
            if (graph_.effort() >= left--) return false;
            const int id = waiting_.pop_back();
            const int order = orders_.items[id], operands = graph_.operand_count(id);
            if (graph_.is_condition(id)) continue;
            for (int k = 0; k < operands; ++k) need(graph_.operand_of(id, k), order);
            if (operands == 0 || order < 1 || is_arithmetic(graph_[id].what)) continue;
            if (partials_.items[id] == -2) {
                int first = -1;
                for (int k = operands - 1; k >= 0; --k) {
                    const term value = partial(graph_, id, k);
                    if (value.is_zero()) continue;
                    made_.push_back({value, first});
                    operands_.push_back(graph_.operand_of(id, k));
                    first = made_.count - 1;
                }
                partials_.items[id] = first;
            }
            for (int i = partials_.items[id]; i >= 0; i = made_.items[i].next) need(made_.items[i].value.id, order - 1);
        }
        return true;
    }

    // The coefficients of the variables that have a direction are known; the others are constants.
    constexpr void start_from(const list<term>& direction) {
        list<int> moving;
        for (int i = 0; i < variables_.count; ++i) {
            const int id = variables_.items[i];
            if (id >= orders_.count || direction.items[i].is_zero()) continue;
            moving.push_back(id);
            if (order_ > 0) at(id, 1) = direction.items[i];
        }
        find_dependent(graph_, moving, depends_, orders_.count);
    }

    // The coefficient of t^k of a term.
    constexpr term coefficient_of(term t, int k) {
        if (t.is_zero()) return t;
        if (k == 0) return t;
        if (!depends_.items[t.id]) return graph::zero_term;
        const term c = at(t.id, k);
        return c.is_zero() ? c : term{graph_.times(t.c, c.c), c.id};
    }
    constexpr term coefficient_of(int id, int k) { return coefficient_of(term{0, id}, k); }

    [[nodiscard]] constexpr bool is_product(term t) const { return graph_.nodes.items[t.id].what == kind::product; }

    // Products are separate nodes, like those of values: expanded as products of powers, those of high orders would
    // grow without bound. The factors must not be products themselves, since these could contain the results built
    // here; and a term of an untaken arm must remain one product, which the condition makes zero as a whole.
    constexpr term product(term s, term t) {
        if (s.is_zero() || t.is_zero()) return graph::zero_term;
        if (is_product(s) || is_product(t) || graph_.is_share(s.id) || graph_.is_share(t.id))
            return graph_.multiply(s, t);
        return {graph_.times(s.c, t.c), graph_.binary(kind::multiply, s.id, t.id)};
    }

    // A product as a coefficient becomes a sum of one term, which other products treat as one factor.
    constexpr term whole(term t) {
        if (t.is_zero() || !is_product(t) || graph_.has_guard(t.id)) return t;
        const int id = graph_.sum_of_one({0, t.id});
        graph_.canonical_terms.items[id] = {0, id};
        return {t.c, id};
    }

    constexpr term next_coefficient(int id, int k) {
        canonical_graph& g = graph_;
        const node n = g[id];
        const int bottom = g.mark();
        if (n.what == kind::multiply) {
            for (int j = 0; j <= k; ++j) g.push_term(product(coefficient_of(n.a, k - j), coefficient_of(n.b, j)));
        } else if (n.what == kind::divide) {
            g.push_term(coefficient_of(n.a, k));
            for (int j = 1; j <= k; ++j) g.push_term(-product(coefficient_of(n.b, j), coefficient_of(id, k - j)));
            return g.multiply(g.sum_since(bottom), g.power(coefficient_of(n.b, 0), -1));
        } else if (is_arithmetic(n.what)) {
            for (int i = 0; i < g.operand_count(id); ++i) {
                const term sign = partial(g, id, i);
                g.push_term(g.multiply(sign, coefficient_of(g.operand_of(id, i), k)));
            }
        } else {
            for (int i = partials_.items[id]; i >= 0; i = made_.items[i].next)
                for (int j = 1; j <= k; ++j) {
                    const term share = g.number(coefficient::fraction(j, k));
                    const term operand = coefficient_of(operands_.items[i], j);
                    g.push_term(g.multiply(share, product(operand, coefficient_of(made_.items[i].value, k - j))));
                }
        }
        return g.sum_since(bottom);
    }
};

} // namespace chainrule::differentiate
