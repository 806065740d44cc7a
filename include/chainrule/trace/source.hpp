// SPDX-License-Identifier: BSL-1.0
//
// A traced function as expressions: each output is a leaf whose lowering (graph/lower.hpp) copies the traced graph. So
// everything that takes expressions, from kernels to printing, takes traced functions.
#pragma once

#include <chainrule/trace/record.hpp>

namespace chainrule {

template <class Trace, class Variables, int K>
struct traced_output;

/// The list of the first outputs of a traced function: so many.
template <class Trace, class Variables, int Count>
struct traced_outputs {
    using list = decltype([]<int... K>(std::integer_sequence<int, K...>) {
        return core::type_list<typename traced_output<Trace, Variables, K>::node...>{};
    }(std::make_integer_sequence<int, Count>{}));
    friend consteval list list_named(traced_outputs) { return {}; }
};

/// Output number K of a traced function of the variables in a list, as an expression.
template <class Trace, class Variables, int K>
struct traced_output {
    struct node {
        using chainrule_expression = node;
        using trace = Trace;
        using variables = expressions::long_list<Variables>;
        template <int Count>
        using outputs = traced_outputs<Trace, Variables, Count>;
        enum : int {
            arity = 0,
            numbers = 0,
            is_variable = 0,
            depth = 0,
            name_length = expressions::never_abbreviated,
            position = K
        };
        enum : core::hash_value { hash = core::hash_of(core::hashed::operation, core::mix(int{variables::size}, K)) };
        template <class Lowering> // graph::lowering; a template, so that debug information does not describe it
        static constexpr void lower(Lowering& l);
        template <class... Arguments>
        [[gnu::always_inline]] constexpr auto operator()(Arguments... arguments) const {
            return chainrule::expressions::evaluate(*this, arguments...);
        }
    };
};

namespace tracing {

// If a program begins with the inputs of the trace, the nodes of the trace follow and are copied unchanged.
template <class... V>
[[nodiscard]] constexpr bool is_next(const graph::lowering& l, core::type_list<V...>) {
    constexpr int count = sizeof...(V);
    if (l.g.nodes.count != count + 1 || l.variables.count != count || l.g.pool.count != 0 ||
        l.g.coefficients.magnitudes.count != 1 || l.g.custom_functions.count != 0)
        return false;
    const expressions::variable_name names[] = {{V::hash, V::text}..., {}};
    for (int i = 0; i < count; ++i)
        if (l.variables.items[i].node != i + 1 || l.g.nodes.items[i + 1].what != graph::kind::variable ||
            !l.variables.items[i].name.is(names[i]))
            return false;
    return true;
}

// Copies a trace node by node, and finds the nodes of the outputs.
template <class Trace, class... V>
constexpr void copy(graph::lowering& l, core::type_list<V...>, list<int>& outputs) {
    constexpr const auto& from = Trace::graph;
    graph::canonical_graph& g = l.g;
    const expressions::variable_name names[] = {{V::hash, V::text}..., {}};
    list<int> place(from.nodes.size, graph::canonical_graph::one);
    list<term> pool;
    list<core::coefficient> magnitudes;
    list<bool> used;
    from.pool.read(pool);
    from.magnitudes.read(magnitudes);
    from.used.read(used);
    for (int i = 0; i < static_cast<int>(sizeof...(V)); ++i) {
        if (!used.items[i]) continue;
        const int variable = l.variable_number(names[i]);
        l.used.items[variable] = true;
        place.items[i + 1] = l.variables.items[variable].node;
    }
    for (int id = static_cast<int>(sizeof...(V)) + 1; id < from.nodes.size; ++id) {
        const node n = from.nodes[static_cast<std::size_t>(id)];
        unsigned function = n.function;
        if ((n.what == graph::kind::call || n.what == graph::kind::call_of_three) &&
            function >= graph::first_custom_function) {
            const custom_function_entry& own = from.custom_functions[function - graph::first_custom_function];
            function = g.custom_function_number(own.hash, own.formula);
        }
        const auto operand = [&](int k) { return place.items[pool.items[n.a + k].id]; };
        const int a = n.what < graph::kind::negate || n.what >= graph::kind::select ? n.a : place.items[n.a];
        const int b = n.what < graph::kind::negate || n.what >= graph::kind::select || n.b < 0 ? n.b : place.items[n.b];
        switch (n.what) {
        case graph::kind::constant:
            place.items[id] = g.constant((a & 1) != 0 ? -magnitudes.items[a >> 1] : magnitudes.items[a >> 1]);
            break;
        case graph::kind::negate: place.items[id] = g.negate(a); break;
        case graph::kind::call: place.items[id] = g.call(function, a, b); break;
        case graph::kind::condition:
            place.items[id] = g.condition(static_cast<graph::relation>(n.function), a, b);
            break;
        case graph::kind::select: place.items[id] = g.select(operand(0), operand(1), operand(2)); break;
        case graph::kind::call_of_three: place.items[id] = g.call(function, operand(0), operand(1), operand(2)); break;
        default: place.items[id] = g.binary(n.what, a, b); break;
        }
    }
    from.outputs.read(outputs);
    for (int& id : outputs) id = place.items[id];
}

// The same in one piece.
template <class Trace>
constexpr void adopt(graph::lowering& l, list<int>& outputs) {
    constexpr const auto& from = Trace::graph;
    from.nodes.read(l.g.nodes);
    from.pool.read(l.g.pool);
    from.magnitudes.read(l.g.coefficients.magnitudes);
    from.used.read(l.used);
    l.g.canonical_terms = list<term>(l.g.nodes.count, graph::zero_term);
    l.g.canonical_terms.items[0] = {0, graph::canonical_graph::one};
    for (int i = 0; i < from.custom_function_count; ++i) l.g.custom_functions.push_back(from.custom_functions[i]);
    l.g.make_unique();
    from.outputs.read(outputs);
}

/// Lowers all outputs of a trace at once; Variables may be the short name of a list. (One function for all of them: of
/// functions of each, whose instantiations lead to one another, clang manages some 300.)
template <class Trace, class Variables, class Lowering>
constexpr void lower_outputs(Lowering& l) {
    using variables = expressions::long_list<Variables>;
    core::list<int> outputs;
    const auto& from = Trace::graph;
    l.too_large = l.too_large || !l.admits(from.nodes.size, variables::size, from.magnitudes.size);
    if (l.too_large) return;
    if (is_next(l, variables{}))
        adopt<Trace>(l, outputs);
    else
        copy<Trace>(l, variables{}, outputs);
    [&]<int... O>(std::integer_sequence<int, O...>) {
        [[maybe_unused]] const int remembered[] = {
            (l.remember({graph::lower_node<typename traced_output<Trace, Variables, O>::node>,
                         traced_output<Trace, Variables, O>::node::hash},
                        outputs.items[O]),
             0)...};
    }(std::make_integer_sequence<int, Trace::outputs>{});
}

} // namespace tracing

template <class Trace, class Variables, int K>
template <class Lowering>
constexpr void traced_output<Trace, Variables, K>::node::lower(Lowering& l) {
    tracing::lower_outputs<Trace, Variables>(l);
}

} // namespace chainrule
