// SPDX-License-Identifier: BSL-1.0
//
// Graph terms as numbers: operators, comparisons and every function of the table, so that a formula written for numbers
// can be evaluated on a graph.
#pragma once

#include <chainrule/expression/operations.hpp>
#include <chainrule/graph/canonical_graph.hpp>

namespace chainrule::graph {

/// A condition in a formula of the table.
struct graph_condition {
    canonical_graph* owner = nullptr;
    int id = -1;

    friend constexpr graph_condition operator&&(graph_condition c, graph_condition d) {
        return {c.owner, c.owner->condition(relation::conjunction, c.id, d.id)};
    }
    friend constexpr graph_condition operator||(graph_condition c, graph_condition d) {
        return {c.owner, c.owner->condition(relation::disjunction, c.id, d.id)};
    }
    friend constexpr graph_condition operator!(graph_condition c) {
        return {c.owner, c.owner->condition(relation::negation, c.id)};
    }
};

/// A graph term with operators, so that the table's formulas can be evaluated on it.
struct graph_term {
    canonical_graph* owner = nullptr;
    term value = zero_term;

    // A number as an operand in a formula; it takes its graph from the other operand.
    constexpr graph_term() = default;
    constexpr graph_term(canonical_graph& g, term t) : owner(&g), value(t) {}
    /// A constant derivative, without a graph.
    constexpr graph_term(int n) : value{n, -1} {}

    friend constexpr graph_term operator-(graph_term a) { return {*a.owner, -a.value}; }
    friend constexpr graph_term operator*(graph_term a, graph_term b) {
        return {*a.owner, a.owner->multiply(a.owner->canonical(a.value), a.owner->canonical(b.value))};
    }
    friend constexpr graph_term operator/(graph_term a, graph_term b) {
        canonical_graph& g = *a.owner;
        return {g, g.multiply(g.canonical(a.value), g.power(g.canonical(b.value), -1))};
    }
    friend constexpr graph_term operator+(graph_term a, graph_term b) {
        return {*a.owner, a.owner->add(a.owner->canonical(a.value), a.owner->canonical(b.value))};
    }
    friend constexpr graph_term operator-(graph_term a, graph_term b) { return a + -b; }

    friend constexpr graph_term operator+(integer n, graph_term a) { return a.number(n) + a; }
    friend constexpr graph_term operator-(integer n, graph_term a) { return a.number(n) - a; }
    friend constexpr graph_term operator*(integer n, graph_term a) { return a.number(n) * a; }
    friend constexpr graph_term operator/(integer n, graph_term a) { return a.number(n) / a; }
    friend constexpr graph_term operator+(graph_term a, integer n) { return a + a.number(n); }
    friend constexpr graph_term operator-(graph_term a, integer n) { return a - a.number(n); }
    friend constexpr graph_term operator*(graph_term a, integer n) { return a * a.number(n); }
    friend constexpr graph_term operator/(graph_term a, integer n) { return a / a.number(n); }
    friend constexpr graph_term operator*(irrational c, graph_term a) { return a.number(c) * a; }
    friend constexpr graph_term like(graph_term a, int n) { return a.number(n); }
    friend constexpr graph_term like(graph_term a, irrational c) { return a.number(c); }

#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    friend constexpr graph_condition operator SYMBOL(graph_term a, graph_term b) {                                     \
        return compare(relation::NAME, a, b);                                                                          \
    }                                                                                                                  \
    friend constexpr graph_condition operator SYMBOL(graph_term a, integer n) { return a SYMBOL a.number(n); }
    CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

    template <class A, class B>
    friend constexpr graph_term select(graph_condition c, A a, B b) {
        canonical_graph& g = *c.owner;
        const term s = in(g, a), t = in(g, b);
        if (s.is_zero()) return {g, g.guarded(g.canonical(t), g.condition(relation::negation, c.id))};
        if (t.is_zero()) return {g, g.guarded(g.canonical(s), c.id)};
        const int first = g.node_of(s);
        return {g, {0, g.select(c.id, first, g.node_of(t))}};
    }

private:
    [[nodiscard]] static constexpr graph_condition compare(relation what, graph_term a, graph_term b) {
        canonical_graph& g = *a.owner;
        const int first = g.node_of(a.value);
        return {&g, g.condition(what, first, g.node_of(b.value))};
    }
    [[nodiscard]] static constexpr term in(canonical_graph& g, integer n) { return g.number(n); }
    [[nodiscard]] static constexpr term in(canonical_graph&, graph_term t) { return t.value; }
    [[nodiscard]] constexpr graph_term number(const coefficient& c) const { return {*owner, owner->number(c)}; }
};

/// The arguments and the result of a call, from which its derivative is computed.
struct call_terms : call_terms_base {
    const graph_term* x;
    graph_term r;
    constexpr call_terms(const graph_term* arguments, graph_term result) : x(arguments), r(result) {}
};

// A call of the function at a given position of the table.
[[nodiscard]] constexpr graph_term called(unsigned function, graph_term x) {
    canonical_graph& g = *x.owner;
    return {g, {0, g.call(function, g.node_of(x.value))}};
}
// The logarithm of a constant is a constant, and the power 1/2 or -1/2 is a root.
[[nodiscard]] constexpr graph_term called(unsigned function, graph_term x, graph_term y) {
    canonical_graph& g = *x.owner;
    const int a = g.node_of(x.value);
    const bool is_power = function == functions::pow::position;
    if (is_power || function == functions::xlogy::position) {
        const term t = g.canonical(y.value);
        const coefficient c = t.id == canonical_graph::one ? g.value(t.c) : coefficient(0);
        if (!is_power && !c.is_zero() && !c.negative())
            return {g, g.multiply(g.canonical(x.value), g.number(c.logarithm()))};
        if (is_power && c.denominator == 2)
            if (const int id = g.exact_power(a, g.node_of(t)); id >= 0) return {g, {0, id}};
    }
    return {g, {0, g.call(function, a, g.node_of(y.value))}};
}
[[nodiscard]] constexpr graph_term called(unsigned function, graph_term x, graph_term y, graph_term z) {
    canonical_graph& g = *x.owner;
    const int a = g.node_of(x.value), b = g.node_of(y.value);
    return {g, {0, g.call(function, a, b, g.node_of(z.value))}};
}

#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    constexpr graph_term NAME(graph_term x) { return called(functions::NAME::position, x); }
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    constexpr graph_term NAME(graph_term x, graph_term y) { return called(functions::NAME::position, x, y); }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    constexpr graph_term NAME(graph_term x, graph_term y, graph_term z) {                                              \
        return called(functions::NAME::position, x, y, z);                                                             \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

} // namespace chainrule::graph
