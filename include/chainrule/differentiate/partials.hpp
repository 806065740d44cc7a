// SPDX-License-Identifier: BSL-1.0
//
// The derivative of one node with respect to one of its operands: for functions the table's formula
// (functions/rows.hpp), evaluated here on graph terms; for everything else the rules of calculus below. Reverse sweeps
// (adjoint.hpp), forward sweeps (tangent.hpp) and elimination (elimination.hpp) combine these partial derivatives.
#pragma once

#include <chainrule/graph/graph_term.hpp>

namespace chainrule::differentiate {

// The formulas are expanded for graph terms here: templates would have to be instantiated in every file that includes
// this header. They are members, so that they need not declare their variables, which takes longer than the formulas.
struct call_of_function {
    graph_term x, y, z, r; // the arguments and the result
    int k;                 // the argument with respect to which it is differentiated

#define CHAINRULE_UNARY(NAME, VALUE, BY_X, ...)                                                                        \
    constexpr graph_term derivative_of_##NAME() const { return BY_X; }
#define CHAINRULE_BINARY(NAME, VALUE, BY_X, BY_Y, ...)                                                                 \
    constexpr graph_term derivative_of_##NAME() const {                                                                \
        if (k == 0) return BY_X;                                                                                       \
        return BY_Y;                                                                                                   \
    }
#define CHAINRULE_TERNARY(NAME, VALUE, BY_X, BY_Y, BY_Z, ...)                                                          \
    constexpr graph_term derivative_of_##NAME() const {                                                                \
        if (k == 0) return BY_X;                                                                                       \
        if (k == 1) return BY_Y;                                                                                       \
        return BY_Z;                                                                                                   \
    }
    CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY
};

// By position in the table: clang counts a step for each skipped case of a switch.
inline constexpr graph_term (call_of_function::* derivatives_of_table[])() const = {
#define CHAINRULE_ROW(NAME, ...) &call_of_function::derivative_of_##NAME,
    CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW
};

/// The derivative of a call node with respect to its argument number k, as a term.
[[nodiscard]] constexpr term local_derivative(canonical_graph& g, int id, int k) {
    const node n = g[id];
    graph_term x[3];
    if (n.what == kind::call_of_three) {
        for (int i = 0; i < 3; ++i) x[i] = {g, {0, g.pool.items[n.a + i].id}};
    } else {
        x[0] = {g, {0, n.a}};
        if (n.b >= 0) x[1] = {g, {0, n.b}};
    }
    const graph_term r{g, {0, id}};
    if (n.function >= first_custom_function)
        return g.canonical(g.custom_functions.items[n.function - first_custom_function].formula(call_terms(x, r), k));
    // The rule of the table, and where the weight is zero, the derivative stays zero.
    if (n.function == functions::weighted::position && k == 1)
        return g.guarded({0, canonical_graph::one}, g.guard_of(n.a));
    const graph_term derivative = (call_of_function{x[0], x[1], x[2], r, k}.*derivatives_of_table[n.function])();
    return g.canonical(derivative.term_in(g));
}

/// Whether the derivative of a function of one argument in the table is not zero everywhere and calls no other
/// function.
[[nodiscard]] constexpr bool has_arithmetic_derivative(unsigned function) {
    canonical_graph g;
    const int call = g.call(function, g.variable(0));
    if (local_derivative(g, call, 0).is_zero()) return false;
    for (int id = call + 1; id < g.size(); ++id)
        if (g[id].what == kind::call || g[id].what >= kind::select) return false;
    return true;
}

/// The derivative of a node with respect to its operand number k, as a canonical term. An operand that occurs several
/// times counts once for each occurrence. Conditions have no derivatives.
[[nodiscard]] constexpr term partial(canonical_graph& g, int id, int k) {
    const node n = g[id];
    constexpr term one{0, canonical_graph::one};
    if (n.what == kind::multiply) return g.canonical(k == 0 ? n.b : n.a);
    if (n.what == kind::add || (n.what == kind::subtract && k == 0)) return one;
    if (n.what == kind::subtract || n.what == kind::negate) return -one;
    if (n.what == kind::call || n.what == kind::call_of_three) return local_derivative(g, id, k);
    if (n.what == kind::divide) {
        const term inverse = g.power(g.canonical(n.b), -1);
        return k == 0 ? inverse : -g.multiply(inverse, g.canonical(id));
    }
    if (n.what == kind::sum) return {g.pool.items[n.a + k].c, canonical_graph::one};
    if (n.what == kind::product) {
        const int exponent = g.pool.items[n.a + k].c;
        const term rest = g.without_factor(id, k);
        return {g.times(rest.c, g.coefficient_number(exponent)), rest.id};
    }
    if (n.what == kind::select && k > 0) {
        const int condition = g.pool.items[n.a].id;
        return g.guarded(one, k == 1 ? condition : g.condition(relation::negation, condition));
    }
    return graph::zero_term;
}

/// Gives each node from `known` to `size` the union of its operands' sets, which are bools or bits; variables keep
/// theirs. Conditions and shares pass nothing on, since they have no derivatives.
template <class Set>
constexpr void pass_to_results(const graph_data& g, list<Set>& sets, int known, int size) {
    constexpr Set all = static_cast<Set>(-1);
    for (int id = known; id < size; ++id) {
        // Not by operand_of: this is read once per node and sweep, and clang counts each call.
        const node& n = g.nodes.items[id];
        Set found{};
        if (n.what >= kind::sum) {
            if (n.what == kind::call_of_three && g.is_share(id)) continue;
            for (int i = 0; i < n.b && found != all; ++i)
                found = static_cast<Set>(found | sets.items[g.pool.items[n.a + i].id]);
        } else if (n.what >= kind::negate && n.what != kind::condition && !g.is_share(id)) {
            found = sets.items[n.a];
            if (n.b >= 0) found = static_cast<Set>(found | sets.items[n.b]);
        } else if (n.what == kind::variable) {
            found = sets.items[id];
        }
        sets.items[id] = found;
    }
}
/// Adds the set of each node to those of its operands. Conditions pass nothing on.
template <class Set>
constexpr void pass_to_operands(const graph_data& g, list<Set>& sets) {
    for (int id = sets.count - 1; id >= 0; --id) {
        const Set found = sets.items[id];
        if (found == Set{} || g.nodes.items[id].what == kind::condition) continue;
        for (int k = g.operand_count(id) - 1; k >= 0; --k) {
            Set& operand = sets.items[g.operand_of(id, k)];
            operand = static_cast<Set>(operand | found);
        }
    }
}

/// Extends `depends` to the first `size` nodes; it states for each node whether it depends on the variable nodes
/// `variables`.
constexpr void find_dependent(const graph_data& g, const list<int>& variables, list<bool>& depends, int size) {
    const int known = depends.count;
    if (size <= known) return;
    depends.resize(size, false);
    // Once for all variables: searching the list for each variable would take quadratic time.
    for (int i = 0; i < variables.count; ++i)
        if (known <= variables.items[i] && variables.items[i] < size) depends.items[variables.items[i]] = true;
    pass_to_results(g, depends, known, size);
}

/// The number of nodes up to the last output.
[[nodiscard]] constexpr int size_up_to(const list<term>& outputs) {
    int size = 0;
    for (int i = 0; i < outputs.count; ++i)
        if (outputs.items[i].id >= size) size = outputs.items[i].id + 1;
    return size;
}
/// Whether an output depends on a node, for each node up to the last output; dependence through conditions does not
/// count.
template <class Set = bool>
[[nodiscard]] constexpr list<Set> find_needed(const graph_data& g, const list<term>& outputs) {
    list<Set> needed(size_up_to(outputs), Set{});
    for (int i = 0; i < outputs.count; ++i)
        if (!outputs.items[i].is_zero()) needed.items[outputs.items[i].id] = 1;
    pass_to_operands(g, needed);
    return needed;
}

/// Sets of up to 64 variables: for each node up to `size`, those of variables.items[first], [first + step] and so on
/// on which it depends.
using set_of_64 = unsigned long long;
[[nodiscard]] constexpr list<set_of_64> find_variables(const graph_data& g, const list<int>& variables, int size,
                                                       int first, int step) {
    list<set_of_64> sets(size, set_of_64{});
    for (int k = 0, i = first; k < 64 && i < variables.count; ++k, i += step)
        if (variables.items[i] < size) sets.items[variables.items[i]] |= set_of_64{1} << k;
    pass_to_results(g, sets, 0, size);
    return sets;
}

} // namespace chainrule::differentiate
