// SPDX-License-Identifier: BSL-1.0
//
// Graph terms as numbers: operators, comparisons and every function of the table, so that a formula written for numbers
// can be evaluated on a graph.
#pragma once

#include <chainrule/graph/term_algebra.hpp>

namespace chainrule::graph {

class graph_term;
using graph_condition = term_condition<graph_term>;

/// A term of a graph with operators, so that the table's formulas can be evaluated on it; or an integer of such a
/// formula, which is in no graph yet.
class graph_term : public term_algebra<graph_term>, public functions_of_terms<graph_term> {
public:
    using graph_owner = canonical_graph;

    constexpr graph_term() = default;
    constexpr graph_term(canonical_graph& g, term t) : owner_(&g), value_(t) {}
    constexpr graph_term(int n) : value_{n, -1} {}

    /// As a term of a graph, and its node.
    [[nodiscard]] constexpr term term_in(canonical_graph& g) const {
        return owner_ == nullptr ? g.number(value_.c) : value_;
    }
    [[nodiscard]] constexpr int in(canonical_graph& g) const { return g.node_of(term_in(g)); }
    [[nodiscard]] constexpr canonical_graph* owner() const { return owner_; }

    friend constexpr graph_term operator-(const graph_term& a) { return {*a.owner_, -a.value_}; }
    friend constexpr graph_term operator*(const graph_term& a, const graph_term& b) {
        canonical_graph& g = *owner_of(a, b);
        return {g, g.multiply(g.canonical(a.term_in(g)), g.canonical(b.term_in(g)))};
    }
    friend constexpr graph_term operator/(const graph_term& a, const graph_term& b) {
        canonical_graph& g = *owner_of(a, b);
        return {g, g.multiply(g.canonical(a.term_in(g)), g.power(g.canonical(b.term_in(g)), -1))};
    }
    friend constexpr graph_term operator+(const graph_term& a, const graph_term& b) {
        canonical_graph& g = *owner_of(a, b);
        return {g, g.add(g.canonical(a.term_in(g)), g.canonical(b.term_in(g)))};
    }
    friend constexpr graph_term operator-(const graph_term& a, const graph_term& b) {
        canonical_graph& g = *owner_of(a, b);
        return {g, g.add(g.canonical(a.term_in(g)), g.canonical(-b.term_in(g)))};
    }
    friend constexpr graph_term like(const graph_term& a, irrational c) { return {*a.owner_, a.owner_->number(c)}; }
    friend constexpr graph_term operator*(irrational c, const graph_term& a) { return like(a, c) * a; }

    /// A call of a function of the table.
    template <class Row, class... X>
    [[nodiscard]] static constexpr graph_term called(const X&... x) {
        return call(Row::position, x...);
    }

    [[nodiscard]] static constexpr canonical_graph& graph_of(canonical_graph& g) { return g; }
    static constexpr bool in_traced_code = false;

private:
    friend term_algebra<graph_term>;

    canonical_graph* owner_ = nullptr;
    term value_ = zero_term;

    [[nodiscard]] constexpr double value() const { return value_.c; }

    [[nodiscard]] static constexpr graph_term call(unsigned function, const graph_term& x) {
        canonical_graph& g = *x.owner_;
        return {g, {0, g.call(function, x.in(g))}};
    }
    // The logarithm of a constant is a constant, and the power 1/2 or -1/2 is a root.
    [[nodiscard]] static constexpr graph_term call(unsigned function, const graph_term& x, const graph_term& y) {
        canonical_graph& g = *owner_of(x, y);
        const int a = x.in(g);
        const bool is_power = function == functions::pow::position;
        if (is_power || function == functions::xlogy::position) {
            const term t = g.canonical(y.term_in(g));
            const coefficient c = t.id == canonical_graph::one ? g.value(t.c) : coefficient(0);
            if (!is_power && !c.is_zero() && !c.negative())
                return {g, g.multiply(g.canonical(x.term_in(g)), g.number(c.logarithm()))};
            if (is_power && c.denominator == 2)
                if (const int id = g.exact_power(a, g.node_of(t)); id >= 0) return {g, {0, id}};
        }
        return {g, {0, g.call(function, a, y.in(g))}};
    }
    [[nodiscard]] static constexpr graph_term call(unsigned function, const graph_term& x, const graph_term& y,
                                                   const graph_term& z) {
        canonical_graph& g = *z.owner_;
        const int a = x.in(g), b = y.in(g);
        return {g, {0, g.call(function, a, b, z.in(g))}};
    }
};

// A template, so that it is a better match than the select() of a truth value, to which a condition converts.
template <class A, class B>
[[nodiscard]] constexpr graph_term select(const graph_condition& c, const A& a, const B& b) {
    canonical_graph& g = *c.owner();
    const term s = graph_term(a).term_in(g), t = graph_term(b).term_in(g);
    if (s.is_zero()) return {g, g.guarded(g.canonical(t), g.condition(relation::negation, c.node()))};
    if (t.is_zero()) return {g, g.guarded(g.canonical(s), c.node())};
    const int first = g.node_of(s);
    return {g, {0, g.select(c.node(), first, g.node_of(t))}};
}

/// The arguments and the result of a call, from which its derivative is computed.
struct call_terms : call_terms_base {
    const graph_term* x;
    graph_term r;
    constexpr call_terms(const graph_term* arguments, graph_term result) : x(arguments), r(result) {}
};

} // namespace chainrule::graph
