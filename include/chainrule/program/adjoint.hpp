// SPDX-License-Identifier: BSL-1.0
//
// How is a graph differentiated? By one reverse sweep per output, which adds the derivatives to the same graph. The cost
// of a gradient therefore does not grow with the number of variables. The local derivatives are the table's formulas
// (functions.hpp), evaluated here on graph terms. program/schedule.hpp turns what was derived into straight-line code.
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
    friend constexpr graph_condition operator<=(graph_term a, graph_term b) { return compare(relation::less_equal, a, b); }
    friend constexpr graph_condition operator>(graph_term a, graph_term b) { return compare(relation::greater, a, b); }
    friend constexpr graph_condition operator>=(graph_term a, graph_term b) { return compare(relation::greater_equal, a, b); }
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

// The derivative of a function by its argument number k, from the arguments and the result r. The formulas are expanded for
// graph terms here: templates would have to be instantiated in every file that includes this header.
using derivative_formula = graph_term (*)(const graph_term* arguments, graph_term r, int k);

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
    const graph_term derivative = derivative_formulas[n.function](x, {g, {0, id}}, k);
    if (derivative.owner == nullptr) return g.number(derivative.value.c);
    return g.canonical(derivative.value);
}

/// Reverse sweeps over a graph, with respect to chosen variable nodes.
class adjoint_sweep {
public:
    /// Derivatives are wanted by the nodes in `variables`, which are variable (or any other value) nodes of g.
    constexpr adjoint_sweep(graph& g, const list<int>& variables) : graph_(g), variables_(variables) {}

    /// Appends to `gradient` the derivative of `output` by each of the variables, from number `first` on.
    constexpr void run(term output, list<term>& gradient, int first = 0) {
        if (output.is_zero()) {
            for (int i = first; i < variables_.count; ++i) gradient.push_back({});
            return;
        }
        contributions_.truncate(0);
        extend(output.id + 1);
        contribute(output.id, {output.c, graph::one});
        for (int id = output.id; id >= 0; --id) {
            if (heads_.items[id] < 0 || !depends_.items[id] || graph_.nodes.items[id].what == kind::variable) continue;
            propagate(id, take(id));
        }
        for (int i = first; i < variables_.count; ++i) gradient.push_back(take(variables_.items[i]));
        // What does not lead to a variable has collected contributions for nothing.
        for (int id = 0; id <= output.id; ++id) heads_.items[id] = -1;
    }

private:
    struct contribution {
        term value;
        int next = -1;
    };

    graph& graph_;
    const list<int>& variables_;
    list<int> heads_;
    list<bool> depends_;
    list<contribution> contributions_;

    // Which nodes depend on the variables: operands come before their node.
    constexpr void extend(int size) {
        const int old = depends_.count;
        heads_.resize(size, -1);
        depends_.resize(size, false);
        for (int id = old; id < size; ++id) {
            const node& n = graph_.nodes.items[id];
            bool depends = false;
            if (n.what >= kind::sum) {
                for (int i = 0; i < n.b && !depends; ++i) depends = depends_.items[graph_.pool.items[n.a + i].id];
            } else if (n.what >= kind::negate && n.what != kind::condition) {
                depends = depends_.items[n.a] || (n.b >= 0 && depends_.items[n.b]);
            } else if (n.what == kind::variable) {
                for (int i = 0; i < variables_.count && !depends; ++i) depends = variables_.items[i] == id;
            }
            depends_.items[id] = depends;
        }
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
        // Frequent ones first, and no switch: clang counts each case that it skips as a step.
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
        } else if (n.what == kind::call_of_three) {
            for (int k = 2; k >= 0; --k) {
                const int argument = g.pool.items[n.a + k].id;
                if (depends_.items[argument]) contribute(argument, g.multiply(adjoint, local_derivative(g, id, k)));
            }
        } else if (n.what == kind::select) {
            const int c = g.pool.items[n.a].id, a = g.pool.items[n.a + 1].id, b = g.pool.items[n.a + 2].id;
            if (depends_.items[b]) contribute(b, g.guarded(adjoint, g.condition(relation::negation, c)));
            if (depends_.items[a]) contribute(a, g.guarded(adjoint, c));
        } else if (n.what == kind::product) {
            for (int i = n.b - 1; i >= 0; --i) {
                const term f = g.pool.items[n.a + i];
                if (!depends_.items[f.id]) continue;
                const term rest = g.without_factor(id, i);
                contribute(f.id, g.multiply(adjoint, {g.times(rest.c, g.coefficient_number(f.c)), rest.id}));
            }
        }
    }
};

} // namespace chainrule::program
