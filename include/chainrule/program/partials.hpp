// SPDX-License-Identifier: BSL-1.0
//
// The derivative of one node with respect to one of its operands: for functions the table's formula (functions.hpp),
// evaluated here on graph terms; for everything else the rules of calculus below. Reverse sweeps (adjoint.hpp), forward
// sweeps (tangent.hpp) and elimination (elimination.hpp) combine these partial derivatives.
#pragma once

#include <chainrule/program/canonical_sums.hpp>

namespace chainrule::program {

/// A condition in a formula of the table.
struct graph_condition {
    graph* owner = nullptr;
    int id = -1;

    friend constexpr graph_condition operator&&(graph_condition c, graph_condition d) {
        return {c.owner, c.owner->condition(relation::conjunction, c.id, d.id)};
    }
};

/// A graph term with operators, so that the table's formulas can be evaluated on it.
struct graph_term {
    graph* owner = nullptr;
    term value;

    // A number that meets a term in a formula; it takes its graph from the other operand.
    constexpr graph_term() = default;
    constexpr graph_term(graph& g, term t) : owner(&g), value(t) {}
    /// A derivative that is a constant: without a graph.
    constexpr graph_term(int n) : value{n, -1} {}

    friend constexpr graph_term operator-(graph_term a) { return {*a.owner, -a.value}; }
    friend constexpr graph_term operator*(graph_term a, graph_term b) {
        return {*a.owner, a.owner->multiply(a.owner->canonical(a.value), a.owner->canonical(b.value))};
    }
    friend constexpr graph_term operator/(graph_term a, graph_term b) {
        graph& g = *a.owner;
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

    friend constexpr graph_condition operator<(graph_term a, graph_term b) { return compare(relation::less, a, b); }
    friend constexpr graph_condition operator<=(graph_term a, graph_term b) {
        return compare(relation::less_equal, a, b);
    }
    friend constexpr graph_condition operator>(graph_term a, graph_term b) { return compare(relation::greater, a, b); }
    friend constexpr graph_condition operator>=(graph_term a, graph_term b) {
        return compare(relation::greater_equal, a, b);
    }
    friend constexpr graph_condition operator==(graph_term a, graph_term b) { return compare(relation::equal, a, b); }
    friend constexpr graph_condition operator<(graph_term a, integer n) { return a < a.number(n); }
    friend constexpr graph_condition operator<=(graph_term a, integer n) { return a <= a.number(n); }
    friend constexpr graph_condition operator>(graph_term a, integer n) { return a > a.number(n); }
    friend constexpr graph_condition operator>=(graph_term a, integer n) { return a >= a.number(n); }
    friend constexpr graph_condition operator==(graph_term a, integer n) { return a == a.number(n); }

    template <class A, class B>
    friend constexpr graph_term select(graph_condition c, A a, B b) {
        graph& g = *c.owner;
        const term s = in(g, a), t = in(g, b);
        if (s.is_zero()) return {g, g.guarded(g.canonical(t), g.condition(relation::negation, c.id))};
        if (t.is_zero()) return {g, g.guarded(g.canonical(s), c.id)};
        const int first = g.node_of(s);
        return {g, {0, g.select(c.id, first, g.node_of(t))}};
    }

private:
    [[nodiscard]] static constexpr graph_condition compare(relation what, graph_term a, graph_term b) {
        graph& g = *a.owner;
        const int first = g.node_of(a.value);
        return {&g, g.condition(what, first, g.node_of(b.value))};
    }
    [[nodiscard]] static constexpr term in(graph& g, integer n) { return g.number(n); }
    [[nodiscard]] static constexpr term in(graph&, graph_term t) { return t.value; }
    [[nodiscard]] constexpr graph_term number(const coefficient& c) const { return {*owner, owner->number(c)}; }
};

// A call of the function at a position of the table.
[[nodiscard]] constexpr graph_term called(unsigned function, graph_term x) {
    graph& g = *x.owner;
    return {g, {0, g.call(function, g.node_of(x.value))}};
}
[[nodiscard]] constexpr graph_term called(unsigned function, graph_term x, graph_term y) {
    graph& g = *x.owner;
    const int a = g.node_of(x.value);
    return {g, {0, g.call(function, a, g.node_of(y.value))}};
}
[[nodiscard]] constexpr graph_term called(unsigned function, graph_term x, graph_term y, graph_term z) {
    graph& g = *x.owner;
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

// The formulas are expanded for graph terms here, as derivative_formula has it: templates would have to be instantiated in
// every file that includes this header.
#define CHAINRULE_UNARY(NAME, VALUE, BY_X, ...)                                                                        \
    constexpr graph_term derivative_of_##NAME(const graph_term* arguments, [[maybe_unused]] graph_term r, int) {       \
        [[maybe_unused]] const graph_term x = arguments[0];                                                            \
        return BY_X;                                                                                                   \
    }
#define CHAINRULE_BINARY(NAME, VALUE, BY_X, BY_Y, ...)                                                                 \
    constexpr graph_term derivative_of_##NAME(const graph_term* arguments, [[maybe_unused]] graph_term r, int k) {     \
        [[maybe_unused]] const graph_term x = arguments[0], y = arguments[1];                                          \
        if (k == 0) return BY_X;                                                                                       \
        return BY_Y;                                                                                                   \
    }
#define CHAINRULE_TERNARY(NAME, VALUE, BY_X, BY_Y, BY_Z, ...)                                                          \
    constexpr graph_term derivative_of_##NAME(const graph_term* arguments, [[maybe_unused]] graph_term r, int k) {     \
        [[maybe_unused]] const graph_term x = arguments[0], y = arguments[1], z = arguments[2];                        \
        if (k == 0) return BY_X;                                                                                       \
        if (k == 1) return BY_Y;                                                                                       \
        return BY_Z;                                                                                                   \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

// By position in the table: a switch would cost clang a step of the evaluation for each row that it skips.
inline constexpr derivative_formula derivative_formulas[] = {
#define CHAINRULE_ROW(NAME, ...) derivative_of_##NAME,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
};

/// The derivative of a call node by its argument number k, as a term.
[[nodiscard]] constexpr term local_derivative(graph& g, int id, int k) {
    const node n = g[id];
    graph_term x[3];
    if (n.what == kind::call_of_three) {
        for (int i = 0; i < 3; ++i) x[i] = {g, {0, g.pool.items[n.a + i].id}};
    } else {
        x[0] = {g, {0, n.a}};
        if (n.b >= 0) x[1] = {g, {0, n.b}};
    }
    const derivative_formula formula = n.function < first_own_function
                                           ? derivative_formulas[n.function]
                                           : g.own_functions.items[n.function - first_own_function].formula;
    const graph_term derivative = formula(x, {g, {0, id}}, k);
    if (derivative.owner == nullptr) return g.number(derivative.value.c);
    return g.canonical(derivative.value);
}

/// How many operands a node has.
[[nodiscard]] constexpr int operand_count(const graph_data& g, int id) {
    const node& n = g.nodes.items[id];
    if (n.what < kind::negate) return 0;
    if (n.what >= kind::select) return 3;
    if (n.what >= kind::sum) return n.b;
    return n.b < 0 ? 1 : 2;
}

/// The operand number k of a node.
[[nodiscard]] constexpr int operand_of(const graph_data& g, int id, int k) {
    const node& n = g.nodes.items[id];
    if (n.what >= kind::sum) return g.pool.items[n.a + k].id;
    return k == 0 ? n.a : n.b;
}

/// The derivative of a node by its operand number k, as a canonical term. An operand that stands in several places
/// counts once for each. Conditions have none.
[[nodiscard]] constexpr term partial(graph& g, int id, int k) {
    const node n = g[id];
    constexpr term one{0, graph::one};
    if (n.what == kind::multiply) return g.canonical(k == 0 ? n.b : n.a);
    if (n.what == kind::add || (n.what == kind::subtract && k == 0)) return one;
    if (n.what == kind::subtract || n.what == kind::negate) return -one;
    if (n.what == kind::call || n.what == kind::call_of_three) return local_derivative(g, id, k);
    if (n.what == kind::divide) {
        const term inverse = g.power(g.canonical(n.b), -1);
        return k == 0 ? inverse : -g.multiply(inverse, g.canonical(id));
    }
    if (n.what == kind::sum) return {g.pool.items[n.a + k].c, graph::one};
    if (n.what == kind::product) {
        const int exponent = g.pool.items[n.a + k].c;
        const term rest = g.without_factor(id, k);
        return {g.times(rest.c, g.coefficient_number(exponent)), rest.id};
    }
    if (n.what == kind::select && k > 0) {
        const int condition = g.pool.items[n.a].id;
        return g.guarded(one, k == 1 ? condition : g.condition(relation::negation, condition));
    }
    return {};
}

/// Extends `depends`, which tells by node what depends on the variable nodes `variables`, to the first `size` nodes.
/// Conditions depend on nothing: they have no derivatives.
constexpr void find_dependent(const graph_data& g, const list<int>& variables, list<bool>& depends, int size) {
    const int known = depends.count;
    if (size <= known) return;
    depends.resize(size, false);
    // Once for all of them: to look for each variable in the list would take time quadratic in their number.
    for (int i = 0; i < variables.count; ++i)
        if (known <= variables.items[i] && variables.items[i] < size) depends.items[variables.items[i]] = true;
    for (int id = known; id < size; ++id) {
        // Not by operand_of: this is read once per node and sweep, and clang counts each call.
        const node& n = g.nodes.items[id];
        bool found = false;
        if (n.what >= kind::sum) {
            for (int i = 0; i < n.b && !found; ++i) found = depends.items[g.pool.items[n.a + i].id];
        } else if (n.what >= kind::negate && n.what != kind::condition) {
            found = depends.items[n.a] || (n.b >= 0 && depends.items[n.b]);
        } else if (n.what == kind::variable) {
            found = depends.items[id];
        }
        depends.items[id] = found;
    }
}

/// Which of the nodes up to the last output lead to one, other than through a condition.
[[nodiscard]] constexpr list<bool> find_needed(const graph_data& g, const list<term>& outputs) {
    int size = 0;
    for (int i = 0; i < outputs.count; ++i)
        if (outputs.items[i].id >= size) size = outputs.items[i].id + 1;
    list<bool> needed(size, false);
    for (int i = 0; i < outputs.count; ++i)
        if (!outputs.items[i].is_zero()) needed.items[outputs.items[i].id] = true;
    for (int id = size - 1; id >= 0; --id) {
        if (!needed.items[id] || g.nodes.items[id].what == kind::condition) continue;
        for (int k = operand_count(g, id) - 1; k >= 0; --k) needed.items[operand_of(g, id, k)] = true;
    }
    return needed;
}

} // namespace chainrule::program
