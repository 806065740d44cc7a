// SPDX-License-Identifier: BSL-1.0
//
// Taylor coefficients of every node, order by order, from those of its operands: the effort grows with the square of
// the order, while that of repeated differentiation grows exponentially. Functions need no special rule: y' = sum of
// partial derivative times operand' is an equation between series, and the partial derivatives are nodes. But those of
// a negative power are ever more powers: it has the rule u v' = e v u'.
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
    list<term> coefficients_; // by node and order, and behind those of the nodes by series and order
    list<int> series_;        // by node: the first series of a quotient, -1 for others

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

    // Whether a node is pow(u, c) with a known negative c. (With a positive one not: the rule of powers divides by u,
    // and the derivatives of u^2.5 are finite at 0.)
    [[nodiscard]] constexpr bool is_negative_power(int id) const {
        return graph_.is_call(id, functions::pow::position) &&
               graph_.nodes.items[graph_.nodes.items[id].b].what == kind::constant &&
               graph_.value(graph_.nodes.items[graph_.nodes.items[id].b].a).negative();
    }
    // Whether a factor is a condition or a share, which have no derivatives.
    [[nodiscard]] constexpr bool is_guard(term factor) const {
        return factor.c > 0 && (graph_.is_condition(factor.id) || graph_.is_share(factor.id));
    }
    // Whether a node is a product with a negative power.
    [[nodiscard]] constexpr bool is_quotient(int id) const {
        const node& n = graph_.nodes.items[id];
        if (n.what != kind::product) return false;
        for (int i = 0; i < n.b; ++i)
            if (graph_.pool.items[n.a + i].c < 0) return true;
        return false;
    }
    // How many series a quotient has beside its own: its negative powers, and the products of the first factors.
    [[nodiscard]] constexpr int series_of_quotient(int id) const {
        const node& n = graph_.nodes.items[id];
        int count = 0;
        for (int i = 0; i < n.b; ++i) {
            const int exponent = graph_.pool.items[n.a + i].c;
            count += exponent < 0 ? 2 : exponent;
        }
        return count;
    }
    // They are behind those of the nodes. Returns how many there are.
    constexpr int number_series() {
        const int count = orders_.count;
        int next = count;
        series_ = list<int>(count, -1);
        for (int id = 0; id < count; ++id) {
            if (orders_.items[id] < 1 || !is_quotient(id)) continue;
            series_.items[id] = next;
            next += series_of_quotient(id);
        }
        return next;
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
            coefficients_ = list<term>(number_series() * (order_ + 1), graph::zero_term);
            start_from(direction);
            place = orders_.count;
        } else if (place != 0) {
            number_series();
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
            if (operands == 0 || order < 1 || is_arithmetic(graph_[id].what) || is_negative_power(id) ||
                is_quotient(id))
                continue;
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
        if (is_product(s) || is_product(t) || graph_.guards({1, s.id}) || graph_.guards({1, t.id}))
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

    // The coefficient of t^k of v = u^e from those of u and the earlier ones of v, a node or a series: u v' = e v u'.
    constexpr term power(int u, const coefficient& e, int v, int k) {
        canonical_graph& g = graph_;
        const int bottom = g.mark();
        for (int j = 1; j <= k; ++j) {
            const coefficient share = e * coefficient::fraction(j, k) + coefficient::fraction(j - k, k);
            g.push_term(g.multiply(g.number(share), product(coefficient_of(u, j), number_of(v, k - j))));
        }
        return g.multiply(g.sum_since(bottom), g.power(coefficient_of(u, 0), -1));
    }
    // The coefficient of a node or a series.
    constexpr term number_of(int node_or_series, int k) {
        return node_or_series < orders_.count ? coefficient_of(node_or_series, k) : at(node_or_series, k);
    }
    // A product of series as a further series.
    constexpr int multiplied(int s, int t, int to, int k) {
        canonical_graph& g = graph_;
        if (k == 1) at(to, 0) = g.multiply(number_of(s, 0), number_of(t, 0));
        const int bottom = g.mark();
        for (int j = 0; j <= k; ++j) g.push_term(product(number_of(s, k - j), number_of(t, j)));
        at(to, k) = whole(g.sum_since(bottom));
        return to;
    }
    constexpr term quotient(int id, int k) {
        const node n = graph_[id];
        int next = series_.items[id], all = -1;
        for (int i = 0; i < n.b; ++i) {
            const term factor = graph_.pool.items[n.a + i];
            if (is_guard(factor)) continue;
            int series = factor.id;
            if (factor.c < 0) {
                series = next++;
                if (k == 1) at(series, 0) = graph_.power({0, factor.id}, factor.c);
                at(series, k) = whole(power(factor.id, coefficient(factor.c), series, k));
            }
            for (int times = factor.c < 0 ? 1 : factor.c; times > 0; --times)
                all = all < 0 ? series : multiplied(all, series, next++, k);
        }
        term result = number_of(all, k);
        for (int i = 0; i < n.b; ++i) {
            const term factor = graph_.pool.items[n.a + i];
            for (int times = is_guard(factor) ? factor.c : 0; times > 0; --times)
                result = graph_.guarded(result, factor.id);
        }
        return result;
    }

    constexpr term next_coefficient(int id, int k) {
        if (is_negative_power(id)) {
            const node n = graph_[id];
            return power(n.a, graph_.value(graph_[n.b].a), id, k);
        }
        if (series_.items[id] >= 0) return quotient(id, k);
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
