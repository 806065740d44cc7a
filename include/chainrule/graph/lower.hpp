// SPDX-License-Identifier: BSL-1.0
//
// Lowers the type of an expression to a graph. One small function per distinct type adds its node. An explicit stack of
// these functions replaces recursion, so compilers do not limit the depth of an expression.
#pragma once

#include <chainrule/expression/node.hpp>
#include <chainrule/graph/canonical_graph.hpp>
#include <chainrule/expression/variable_names.hpp>

namespace chainrule::graph {

struct lowering;

// Adds a node of one type. `number` is the position of its first stored number.
using lowering_step = void (*)(lowering&, int position);

/// The variables of a program, in order of first appearance.
struct variable_info {
    variable_name name;
    int node = -1;
};

[[nodiscard]] constexpr int apply_operation(canonical_graph& g, unsigned code, int a, int b, int c = -1) {
    if (code == operations::multiply::code) return g.binary(kind::multiply, a, b);
    if (code == operations::add::code) return g.binary(kind::add, a, b);
    if (code == operations::subtract::code) return g.binary(kind::subtract, a, b);
    if (code == operations::divide::code) return g.binary(kind::divide, a, b);
    if (code == operations::negate::code) return g.negate(a);
    if (code == operations::select::code) return g.select(a, b, c);
    if (code >= relations::less::code) return g.condition(static_cast<relation>(code - relations::less::code), a, b);
    if (code == functions::pow::position || (code == functions::integer_power::position && g.is_integer(b)))
        if (const int id = g.exact_power(a, b); id >= 0) return id;
    if (code == functions::square::position) return g.binary(kind::multiply, a, a);
    if (code == functions::cube::position) return g.binary(kind::multiply, g.binary(kind::multiply, a, a), a);
    if (code == functions::inverse::position) return g.binary(kind::divide, canonical_graph::one, a);
    return g.call(code, a, b, c);
}

/// The derivative of a custom function: chainrule/custom_function.hpp.
template <class F>
constexpr term custom_formula_of(const call_terms_base& call, int k);

template <class F>
[[nodiscard]] constexpr int apply_operation(canonical_graph& g, custom_code<F> code, int a, int b, int c = -1) {
    return g.call(g.custom_function_number(code, custom_formula_of<F>), a, b, c);
}

struct lowering {
    struct task {
        lowering_step step = nullptr;
        int position = 0; // of the first stored number of the type
    };
    struct operand {
        lowering_step step;
        hash_value hash;
    };
    struct known_type {
        hash_value hash = 0;
        lowering_step step = nullptr;
        int id = -1;
    };

    canonical_graph& g;
    list<variable_info> variables;
    variable_names names; // of these
    list<bool> used;
    list<task> tasks;
    list<int> results; // nodes of types that hold numbers, which have no identity
    list<int> actives; // stored numbers to differentiate with respect to, if requested
    bool by_actives = false;
    int most_operations = 1 << 30; // beyond, nothing more is lowered
    int most_relaxed = 1 << 30;    // nodes, if values are rearranged, in one evaluation
    bool too_large = false;
    list<int> exact_numbers; // the nodes of stored numbers that are nodes of the graph already
    list<known_type> known;
    int known_count = 0;

    constexpr explicit lowering(canonical_graph& target) : g(target), known(1024) {}

    /// Whether a graph may be so large. Operations count; of variables and constants, there may be three for five.
    [[nodiscard]] constexpr bool admits(int nodes, int variable_count, int constants) const {
        return nodes - variable_count - constants <= most_operations && nodes / 8 * 5 <= most_operations;
    }
    /// The node of a type without stored numbers, or -1. The step identifies the type: each type has its own.
    [[nodiscard]] constexpr int find(operand type) const {
        const unsigned mask = static_cast<unsigned>(known.count) - 1;
        for (unsigned i = static_cast<unsigned>(type.hash) & mask;; i = (i + 1) & mask) {
            const known_type& k = known.items[static_cast<int>(i)];
            if (k.id < 0 || (k.hash == type.hash && same_function(k.step, type.step))) return k.id;
        }
    }
    constexpr void remember(operand type, int id) {
        if (2 * ++known_count > known.count) {
            list<known_type> old(2 * known.count);
            old.swap(known);
            for (int i = 0; i < old.count; ++i)
                if (old.items[i].id >= 0) place(old.items[i]);
        }
        place({type.hash, type.step, id});
    }
    constexpr int variable_number(const variable_name& name) {
        const int position = names.add(name);
        if (position == variables.count) {
            variables.push_back({name, g.variable(position)});
            used.push_back(false);
        }
        return position;
    }

    /// Lowers an operation on types without stored numbers, whose step is `self`; requests missing operands first. A
    /// position of -1 means that the node is an operand of such a type, which will find it by type. (Not a template,
    /// which would be instantiated for each node. No comparison of a step with null, which g++ 12 does not accept as a
    /// constant under -fsanitize=undefined.)
    constexpr void lower_operation(task self, hash_value hash, unsigned code, int arity, operand first,
                                   operand second = {nullptr, 0}, operand third = {nullptr, 0}) {
        int id = find({self.step, hash});
        if (id < 0) {
            const int a = find(first);
            const int b = arity >= 2 ? find(second) : -1;
            const int c = arity == 3 ? find(third) : -1;
            const bool lacks_second = arity >= 2 && b < 0, lacks_third = arity == 3 && c < 0;
            if (a < 0 || lacks_second || lacks_third) {
                tasks.push_back(self);
                if (lacks_third) tasks.push_back({third.step, -1});
                if (lacks_second) tasks.push_back({second.step, -1});
                if (a < 0) tasks.push_back({first.step, -1});
                return;
            }
            id = apply_operation(g, code, a, b, c);
            remember({self.step, hash}, id);
        }
        if (self.position >= 0) results.push_back(id);
    }

    template <class F>
    constexpr void lower_operation(task self, hash_value hash, custom_code<F> code, int arity, operand first,
                                   operand second = {nullptr, 0}, operand third = {nullptr, 0}) {
        lower_operation(self, hash, g.custom_function_number(code, custom_formula_of<F>), arity, first, second, third);
    }

    /// Lowers the expression type E, whose stored numbers are counted from `position` on, and returns its node.
    template <class E>
    constexpr int run(int position = 0);

private:
    constexpr void place(known_type k) {
        const unsigned mask = static_cast<unsigned>(known.count) - 1;
        unsigned i = static_cast<unsigned>(k.hash) & mask;
        while (known.items[static_cast<int>(i)].id >= 0) i = (i + 1) & mask;
        known.items[static_cast<int>(i)] = k;
    }
};

template <class E>
CHAINRULE_PER_NODE_ADDRESSED void lower_node(lowering& l, int position);

// A composite type that holds numbers is lowered once per occurrence, in two steps: operands, then the node.
template <class E>
CHAINRULE_PER_NODE_ADDRESSED void combine_numbers(lowering& l, int) {
    int b = -1, c = -1;
    if constexpr (int{E::arity} == 3) c = l.results.pop_back();
    if constexpr (int{E::arity} >= 2) b = l.results.pop_back();
    const int a = l.results.pop_back();
    l.results.push_back(apply_operation(l.g, E::operation::code, a, b, c));
}

template <class E>
CHAINRULE_PER_NODE_ADDRESSED void lower_node(lowering& l, int position) {
    // On g++ too, which at the end of a file instantiates the functions that no constant evaluation called.
    if constexpr (int{E::arity} != 0) static_cast<void>(lower_node<typename E::shortcut>);
    if constexpr (int{E::numbers} > 0) {
        if constexpr (int{E::arity} == 0) {
            if (is_active<E> && l.by_actives) {
                // A variable that is identified by its position among the stored numbers.
                l.actives.push_back(l.g.variable(position));
                l.results.push_back(l.actives.items[l.actives.count - 1]);
            } else {
                l.results.push_back(position < l.exact_numbers.count ? l.exact_numbers.items[position]
                                                                     : l.g.stored_number(position));
            }
        } else {
            l.tasks.push_back({combine_numbers<E>, 0});
            if constexpr (int{E::arity} == 3)
                l.tasks.push_back(
                    {lower_node<typename E::third>, position + int{E::first::numbers} + int{E::second::numbers}});
            if constexpr (int{E::arity} >= 2)
                l.tasks.push_back({lower_node<typename E::second>, position + int{E::first::numbers}});
            l.tasks.push_back({lower_node<typename E::first>, position});
        }
        return;
    } else if constexpr (int{E::arity} == 3) {
        l.lower_operation(
            {lower_node<E>, position}, E::hash, E::operation::code, 3, {lower_node<typename E::first>, E::first::hash},
            {lower_node<typename E::second>, E::second::hash}, {lower_node<typename E::third>, E::third::hash});
    } else if constexpr (int{E::arity} == 2) {
        l.lower_operation({lower_node<E>, position}, E::hash, E::operation::code, 2,
                          {lower_node<typename E::first>, E::first::hash},
                          {lower_node<typename E::second>, E::second::hash});
    } else if constexpr (int{E::arity} == 1) {
        l.lower_operation({lower_node<E>, position}, E::hash, E::operation::code, 1,
                          {lower_node<typename E::first>, E::first::hash});
    } else {
        int id = l.find({lower_node<E>, E::hash});
        if (id < 0) {
            if constexpr (int{E::is_variable} != 0) {
                const int variable = l.variable_number({E::hash, E::text});
                l.used.items[variable] = true;
                id = l.variables.items[variable].node;
                l.remember({lower_node<E>, E::hash}, id);
            } else if constexpr (requires { typename E::trace; }) {
                E::lower(l);
                id = l.find({lower_node<E>, E::hash});
            } else {
                id = l.g.constant(E::value());
                l.remember({lower_node<E>, E::hash}, id);
            }
        }
        if (position >= 0) l.results.push_back(id);
    }
}

template <class E>
constexpr int lowering::run(int position) {
    too_large = too_large || int{E::depth} > most_operations;
    if (too_large) return canonical_graph::one;
    tasks.push_back({lower_node<E>, position});
    while (tasks.count != 0) {
        const task t = tasks.pop_back();
        t.step(*this, t.position);
        too_large = too_large || !admits(g.nodes.count, variables.count, g.coefficients.magnitudes.count);
        if (too_large) return canonical_graph::one;
    }
    return results.pop_back();
}

} // namespace chainrule::graph
