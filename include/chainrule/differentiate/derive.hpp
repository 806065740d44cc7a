// SPDX-License-Identifier: BSL-1.0
//
// Requests, and the graph that computes them. Expressions are lowered to a graph, and reverse sweeps, forward sweeps or
// elimination add their derivatives; for a Jacobian, a cost model chooses the cheapest mode.
#pragma once

#include <chainrule/differentiate/adjoint.hpp>
#include <chainrule/differentiate/elimination.hpp>
#include <chainrule/graph/lower.hpp>
#include <chainrule/differentiate/tangent.hpp>
#include <chainrule/differentiate/taylor.hpp>
#include <chainrule/core/type_list.hpp>

namespace chainrule {

/// The results of a program: any combination, as a sum. The outputs are in this order.
namespace request {
enum flags : unsigned {
    values = 1,
    jacobians = 2,             ///< row by row
    hessians = 4,              ///< the upper triangle for each expression, row by row
    thirds = 8,                ///< the third derivatives of each expression by variables i <= j <= k
    tangents = 16,             ///< the derivative of each expression along a direction, which is a further input
    cotangents = 32,           ///< the gradient of the sum of weights times expressions; the weights are further inputs
    weighted_hessians = 64,    ///< the upper triangle of the Hessian of that sum
    hessian_products = 128,    ///< the Hessian times a direction
    without_zeros = 256,       ///< leaves out the derivatives that are zero everywhere
    taylor_coefficients = 512, ///< those of each expression in its one variable, up to the order of taylor_order()
    taylor_along = 1024,       ///< the same along a direction
};
} // namespace request

/// The old name of namespace request, for one version.
namespace [[deprecated("write chainrule::request")]] program {
using request::hessians, request::jacobians, request::values;
}

namespace differentiate {

/// A request for Taylor coefficients from order 0, the value, up to `order`.
[[nodiscard]] constexpr unsigned taylor_order(int order) { return static_cast<unsigned>(order) << 16; }

/// Derivatives with respect to the active numbers in the expressions (tape/), which are inputs, identified by their
/// position among all stored numbers.
inline constexpr int by_actives = -1;

/// The graph of expressions with the requested results.
struct problem {
    canonical_graph g;
    list<term> outputs;
    list<int> pattern; // without zeros: the position, among all derivatives, of each remaining one
    int variable_count = 0;
    int unused = -1;
    paused_sweep sweep; // the rest of the derivation, if it is too long for one constant evaluation

    constexpr problem() = default;
    constexpr explicit problem(to_be_read read) : g(read) {}
};

/// The number of nodes and terms by which a graph may grow in one constant evaluation; a gradient is derived in as many
/// as it needs. clang counts about 70 steps for each node or term, 200 for lowering a node, 150 more for a variable,
/// and 100 for carrying a node over.
[[nodiscard]] constexpr int growth_of_first_piece([[maybe_unused]] int lowered, [[maybe_unused]] int variables) {
#if defined(__clang__)
    const int growth = 11500 - 3 * lowered - 2 * variables;
    return growth > 1000 ? growth : 1000;
#else
    return 1 << 30;
#endif
}
[[nodiscard]] constexpr int growth_of_next_piece(int nodes) { return nodes < 6000 ? 9000 - nodes : 3000; }

// The Jacobian of the roots, row by row.
constexpr void derive_jacobian(canonical_graph& g, const list<term>& roots, const list<int>& wrt, derivation way,
                               list<term>& jacobian) {
    if (way == derivation::reverse) {
        adjoint_sweep sweep(g, wrt);
        for (int i = 0; i < roots.count; ++i) sweep.run(roots.items[i], jacobian);
    } else if (way == derivation::forward) {
        tangent_sweep sweep(g, wrt);
        list<term> columns;
        for (int j = 0; j < wrt.count; ++j) {
            list<term> axis(wrt.count);
            axis.items[j] = {0, canonical_graph::one};
            sweep.run(roots, axis, columns);
        }
        for (int i = 0; i < roots.count; ++i)
            for (int j = 0; j < wrt.count; ++j) jacobian.push_back(columns.items[j * roots.count + i]);
    } else {
        elimination(g, wrt).run(roots, jacobian);
    }
}

// The further inputs of a program, after its variables.
constexpr void further_inputs(problem& p, int count, list<term>& inputs) {
    for (int i = 0; i < count; ++i) inputs.push_back({0, p.g.variable(p.variable_count + i)});
}

constexpr void append(problem& p, const list<term>& derivatives, bool zeros) {
    for (int i = 0; i < derivatives.count; ++i) {
        if (!zeros && derivatives.items[i].is_zero()) continue;
        if (!zeros) p.pattern.push_back(i);
        p.outputs.push_back(derivatives.items[i]);
    }
}

/// Adds the requested derivatives of `roots` with respect to the variable nodes `wrt` to a problem. Creates the nodes
/// of further inputs, directions or weights, which are numbered after the problem's variables. For a gradient, the
/// derivation may pause when the graph has grown by `growth`.
constexpr void derive_asked(problem& p, const list<term>& roots, const list<int>& wrt, unsigned request,
                            derivation way = derivation::reverse, int growth = -1) {
    canonical_graph& g = p.g;
    const bool zeros = (request & without_zeros) == 0;
    list<term>& written = (request & values) != 0 ? p.outputs : g.unasked;
    for (int i = 0; i < roots.count; ++i) written.push_back(roots.items[i]);
    if (request > values) g.note_linear_forms(g.size());
    if ((request & ~values) == jacobians && roots.count == 1 && way == derivation::reverse && g.own_functions.count == 0) {
        p.sweep.value_count = g.size();
        adjoint_sweep(g, wrt).start(roots.items[0], p.outputs, growth < 0 ? growth_of_first_piece(g.size(), p.variable_count) : growth, p.sweep);
        return;
    }
    adjoint_sweep sweep(g, wrt);
    list<term> gradients, inputs;
    if ((request & (jacobians | hessians | thirds | hessian_products)) != 0)
        derive_jacobian(g, roots, wrt, way, gradients);
    if ((request & jacobians) != 0)
        append(p, gradients, zeros);
    else
        for (int i = 0; i < gradients.count; ++i) g.unasked.push_back(gradients.items[i]);
    if ((request & (hessians | thirds)) != 0) {
        list<term> entries, third;
        for (int i = 0; i < gradients.count; ++i) sweep.run(gradients.items[i], entries, i % wrt.count);
        if ((request & hessians) != 0) append(p, entries, zeros);
        if ((request & thirds) != 0)
            for (int e = 0, row = 0; e < entries.count; ++row)
                for (int j = row % wrt.count; j < wrt.count; ++j) sweep.run(entries.items[e++], third, j);
        append(p, third, zeros);
    }
    if ((request & tangents) != 0) {
        further_inputs(p, wrt.count, inputs);
        tangent_sweep(g, wrt).run(roots, inputs, p.outputs);
    }
    if ((request & (cotangents | weighted_hessians)) != 0) {
        further_inputs(p, roots.count, inputs);
        list<term> gradient, entries;
        sweep.run(roots, inputs, gradient);
        if ((request & cotangents) != 0) append(p, gradient, zeros);
        if ((request & weighted_hessians) != 0)
            for (int i = 0; i < gradient.count; ++i) sweep.run(gradient.items[i], entries, i);
        append(p, entries, zeros);
    }
    if ((request & hessian_products) != 0) {
        further_inputs(p, wrt.count, inputs);
        tangent_sweep(g, wrt).run(gradients, inputs, p.outputs);
    }
    if ((request & (taylor_coefficients | taylor_along)) != 0) {
        if ((request & taylor_along) != 0)
            further_inputs(p, wrt.count, inputs);
        else
            inputs.push_back({0, canonical_graph::one});
        for (int i = 0; i < roots.count; ++i)
            taylor_sweep(g, wrt).run(roots.items[i], inputs, static_cast<int>(request >> 16), p.outputs);
    }
}

/// Derives the next piece of an incomplete problem.
constexpr void derive_further(problem& p, int growth = -1) {
    p.g.resume(p.sweep.value_count);
    const list<int> wrt = p.sweep.variables;
    adjoint_sweep(p.g, wrt).go_on(p.outputs, growth < 0 ? growth_of_next_piece(p.g.size()) : growth, p.sweep);
}

// Lowers the expressions; the variables are numbered first, in their order. The roots are a parameter, not a return
// value: if a call initializes a variable that has a destructor, clang tests whether it is a constant, and if not
// writes out the call with its types.
template <class... Variable, class... E>
constexpr void lower_all(lowering& l, type_list<Variable...>, type_list<E...>, list<term>& roots) {
    [[maybe_unused]] const int variables[] = {0, l.variable_number({Variable::hash, Variable::text})...};
    int number = 0;
    [[maybe_unused]] const int numbers[] = {
        0, (roots.push_back({0, l.template run<E>(number)}), number += int{E::numbers})...};
}

// The nodes of the first variables.
[[nodiscard]] constexpr list<int> first_variables(const lowering& l, int count) {
    list<int> nodes;
    for (int i = 0; i < count; ++i) nodes.push_back(l.variables[i].node);
    return nodes;
}

/// Derives the requested results of the expressions E. Inputs are numbered in this order: Variables (the first `Wrt` of
/// them are the variables of differentiation), then other variables in order of appearance, then directions or weights.
template <unsigned Request, int Wrt, class... Variable, class... E>
[[nodiscard]] constexpr problem derive(type_list<Variable...> variables, type_list<E...> expressions,
                                       derivation way = derivation::reverse) {
    problem p;
    lowering l(p.g);
    l.by_actives = Wrt == by_actives;
    list<term> roots;
    lower_all(l, variables, expressions, roots);
    p.variable_count = l.variables.size();
    // The variables of differentiation need not occur: then their derivatives are zero.
    for (int i = static_cast<int>(sizeof...(Variable)) - 1; i >= 0 && i >= Wrt; --i)
        if (!l.used[i]) p.unused = i;
    if constexpr (Wrt == by_actives)
        derive_asked(p, roots, l.actives, Request, way);
    else
        derive_asked(p, roots, first_variables(l, Wrt), Request, way);
    return p;
}

/// The cost of a Jacobian in each mode, in multiplications and additions; -1 if the graph is too large to count.
struct derivation_costs {
    int reverse = -1;
    int forward = -1;
    int elimination = -1;
};

template <int Wrt, class Variables, class Expressions>
[[nodiscard]] consteval derivation_costs costs_of_ways(Variables variables, Expressions expressions) {
    canonical_graph g;
    lowering l(g);
    list<term> roots;
    lower_all(l, variables, expressions, roots);
    const list<int> wrt = first_variables(l, Wrt);
    const auto count = [&](derivation way) { return differentiate::elimination(g, wrt).count(roots, way); };
    return {count(derivation::reverse), count(derivation::forward), count(derivation::elimination)};
}

/// The mode in which a request is derived. Only Jacobians with several rows have a choice; one row is cheapest in
/// reverse mode. Since later passes can share most after reverse sweeps, another mode must save a fifth.
template <unsigned Request, int Wrt, class Variables, class... E>
[[nodiscard]] consteval derivation cheapest_way(type_list<E...>) {
    constexpr int rows = static_cast<int>(sizeof...(E));
    if constexpr ((Request & jacobians) == 0 || rows < 2 || Wrt < 1) {
        return derivation::reverse;
    } else {
        constexpr derivation_costs costs = costs_of_ways<Wrt>(Variables{}, type_list<E...>{});
        if (costs.reverse < 0) return Wrt < rows ? derivation::forward : derivation::reverse;
        const bool forward = costs.forward <= costs.elimination;
        if (5 * (forward ? costs.forward : costs.elimination) >= 4 * costs.reverse) return derivation::reverse;
        return forward ? derivation::forward : derivation::elimination;
    }
}

} // namespace differentiate
} // namespace chainrule
