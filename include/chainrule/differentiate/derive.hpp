// SPDX-License-Identifier: BSL-1.0
//
// Requests, and the graph that computes them. Expressions are lowered to a graph, and reverse sweeps, forward sweeps or
// elimination add their derivatives; for a Jacobian, a cost model chooses the cheapest mode.
#pragma once

#include <chainrule/core/type_list.hpp>
#include <chainrule/differentiate/modes.hpp>
#include <chainrule/graph/relaxed.hpp>

#include <bit>

// How many operations traced code may have, and its gradient may be derived from. All compilers manage the default with
// their default options; who raises these (-fconstexpr-steps of clang, -fconstexpr-ops-limit of g++) can define it
// greater. Of expressions, and of derivatives that are derived in one constant evaluation, they manage fewer.
#if defined(CHAINRULE_MAX_OPERATIONS)
namespace chainrule::differentiate {
inline constexpr int most_in_one_evaluation = CHAINRULE_MAX_OPERATIONS;
}
#else
#define CHAINRULE_MAX_OPERATIONS 10000
namespace chainrule::differentiate {
inline constexpr int most_in_one_evaluation = 3200;
}
#endif

namespace chainrule {

/// The old name of namespace request, for one version.
namespace [[deprecated("write chainrule::request")]] program {
using request::hessians, request::jacobians, request::values;
}

namespace differentiate {

/// Derivatives with respect to the active numbers in the expressions (tape/), which are inputs, identified by their
/// position among all stored numbers.
inline constexpr int by_actives = -1;

/// The effort of a graph in one constant evaluation; a gradient is derived in as many as it needs. clang counts 200
/// steps for lowering a node, 150 more for a variable, and 100 for carrying a node over.
/// Behind a gradient, the rows of its Hessian fill the piece.
[[nodiscard]] constexpr int effort_of_first_piece([[maybe_unused]] int lowered, [[maybe_unused]] int variables,
                                                  [[maybe_unused]] bool rows = false) {
#if defined(__clang__)
    const int effort = 16000 - 6 * lowered - 5 * variables;
    return effort > 1500 ? effort : lowered > 4500 ? 0 : 1500;
#else
    return lowered < 4000 ? 40000 - (rows ? 6 * lowered : 0) : lowered < 7000 ? 20000 : 0;
#endif
}
#if defined(__clang__)
inline constexpr int effort_of_next_piece = 13000;
#else
inline constexpr int effort_of_next_piece = 40000;
#endif

/// Derives the next piece of a problem, in the order of the modes. Complete, its state is that of no derivation.
constexpr void derive_piece(problem& p, int effort) {
    constexpr int count = sizeof modes / sizeof *modes;
    derivation d(p, effort);
    for (int& next = p.sweep.mode; next < count; ++next)
        if ((d.request & modes[next].request) != 0 && !modes[next].derive(d)) {
            if (p.sweep.next < 0) p.sweep.next = 0; // it paused between two sweeps
            return;
        }
    p.sweep = {};
}

/// Adds the requested derivatives of `roots` with respect to the variable nodes `wrt` to a problem. Creates the nodes
/// of further inputs, directions or weights, which are numbered after the problem's variables. The derivation may pause
/// after that much effort, unless there are custom functions, whose formulas are in no saved state.
constexpr void derive_requested(problem& p, const list<term>& roots, const list<int>& wrt, unsigned request,
                                jacobian_mode by = jacobian_mode::reverse, int effort = -1) {
    canonical_graph& g = p.g;
    list<term>& written = (request & values) != 0 ? p.outputs : g.intermediate;
    for (int i = 0; i < roots.count; ++i) written.push_back(roots.items[i]);
    g.several_outputs = roots.count > 1;
    if (request <= values) return;
    if (effort < 0)
        effort = effort_of_first_piece(g.size(), p.variable_count, (request & (hessians | weighted_hessians)) != 0);
    if (g.custom_functions.count != 0) effort = 1 << 30;
    bool of_jacobian = false;
    for (const mode& m : modes) of_jacobian = of_jacobian || (m.of_jacobian && (request & m.request) != 0);
    // The forms of many values are a piece of their own.
    const bool later =
        of_jacobian && effort == 0 && roots.count == 1 && by == jacobian_mode::reverse && !roots.items[0].is_zero();
    if (!later) g.record_linear_forms(g.size());
    p.sweep.request = static_cast<int>(request);
    p.sweep.by = static_cast<int>(by);
    p.sweep.roots = roots;
    p.sweep.variables = wrt;
    derive_piece(p, effort);
}

/// Derives the next piece of an incomplete problem.
constexpr void derive_further(problem& p, int effort = -1) {
    if (p.g.value_count() == 0) return p.g.record_linear_forms(p.g.size());
    if (effort < 0) {
        effort = effort_of_next_piece;
        if (p.g.expect(effort / 4)) effort /= 4;
    }
    derive_piece(p, effort);
}

// Lowers the expressions; the variables are numbered first, in their order. The roots are a parameter, not a return
// value: if a call initializes a variable that has a destructor, clang tests whether it is a constant, and if not
// writes out the call with its types. Returns whether relaxed values are made and all roots are marked.
template <relaxed_form Form, class... Variable, class... E>
constexpr bool lower_all(lowering& l, type_list<Variable...>, type_list<E...>, list<term>& roots) {
    [[maybe_unused]] const int variables[] = {0, l.variable_number({Variable::hash, Variable::text})...};
    int number = 0;
    [[maybe_unused]] const int numbers[] = {
        0, (roots.push_back({0, l.template run<E>(number)}), number += int{E::numbers})...};
    bool relaxed = false;
    if constexpr (Form != relaxed_form::unchosen) {
        l.too_large = l.too_large || l.g.nodes.count > l.most_relaxed;
        relaxed = true;
        for (const term& root : roots) relaxed = relaxed && l.g.is_call(root.id, functions::relaxed::position);
        if (!l.too_large) graph::relax<Form>(l, roots);
    } else {
        for (term& root : roots) // a mark would be computed if values stay as written
            if (l.g.is_call(root.id, functions::relaxed::position)) root.id = l.g[root.id].a;
    }
    return relaxed;
}

// The nodes of the first variables.
[[nodiscard]] constexpr list<int> first_variables(const lowering& l, int count) {
    list<int> nodes;
    for (int i = 0; i < count; ++i) nodes.push_back(l.variables[i].node);
    return nodes;
}

/// The most operations that expressions may have, if they are derived at once and if they are derived in pieces.
struct operation_limits {
    int at_once = 1 << 30;
    int in_pieces = CHAINRULE_MAX_OPERATIONS;
};

/// The operations that a program may be compiled from: fewer for derivatives, which are operations, too.
[[nodiscard]] constexpr operation_limits most_operations(unsigned request) {
    return {request == values ? most_in_one_evaluation : most_in_one_evaluation / 6 * 5};
}

/// Whether an expression is an output of traced code.
template <class E>
[[nodiscard]] consteval bool is_traced_output() {
    if constexpr (int{E::arity} == 0)
        return requires { typename E::trace; };
    else
        return false;
}

/// Whether the gradient of an output is derived in pieces: not if it calls functions of the user, whose formulas are in
/// no saved state.
template <class E>
[[nodiscard]] consteval bool is_derived_in_pieces() {
    if constexpr (is_traced_output<E>())
        return E::trace::graph.custom_function_count == 0;
    else
        return false;
}

/// Derives the requested results of the expressions E. Inputs are numbered in this order: Variables (the first `Wrt` of
/// them are the variables of differentiation), then other variables in order of appearance, then directions or weights.
template <unsigned Request, int Wrt, relaxed_form Form = relaxed_form::unchosen, class... Variable, class... E>
[[nodiscard]] constexpr problem derive(type_list<Variable...> variables, type_list<E...> expressions,
                                       jacobian_mode by = jacobian_mode::reverse, operation_limits most = {}) {
    problem p;
    lowering l(p.g);
    l.by_actives = Wrt == by_actives;
    // Values of traced code are lowered by copying, and derivatives in one sweep take as long as those of few outputs.
    constexpr unsigned derivatives = Request & ~values;
    constexpr bool in_pieces = Request == values ? all_true({is_traced_output<E>()..., true})
                                                 : ((derivatives == jacobians && sizeof...(E) == 1) ||
                                                    derivatives == cotangents || derivatives == tangents) &&
                                                       all_true({is_derived_in_pieces<E>()..., true});
    l.most_operations = in_pieces && most.in_pieces > most.at_once ? most.in_pieces : most.at_once;
    l.most_relaxed = Request == values ? 3 * most_in_one_evaluation : most.at_once;
    list<term> roots;
    p.relaxed = lower_all<Form>(l, variables, expressions, roots);
    p.variable_count = l.variables.size();
    if constexpr (Wrt > 0) p.first_parameter = Wrt;
    p.too_large = l.too_large;
    p.rearranged = Form == relaxed_form::rearranged;
    if (p.too_large) return p;
    // The variables of differentiation need not occur: then their derivatives are zero.
    for (int i = static_cast<int>(sizeof...(Variable)) - 1; i >= 0 && i >= Wrt; --i)
        if (!l.used[i]) p.unused = i;
    if constexpr (Wrt == by_actives)
        derive_requested(p, roots, l.actives, Request, by);
    else
        derive_requested(p, roots, first_variables(l, Wrt), Request, by);
    return p;
}

/// The cost of a Jacobian in each mode, in multiplications and additions. If the graph is too large to count, -1 for
/// elimination, and for the others about how many nodes their sweeps visit.
struct jacobian_mode_costs {
    int reverse = 0;
    int forward = 0;
    int elimination = -1;
};

/// About how many nodes the sweeps from all outputs, and those from all variables, visit: counted for up to 64 of them.
[[nodiscard]] constexpr jacobian_mode_costs visits_of_sweeps(const graph_data& g, const list<term>& roots,
                                                             const list<int>& wrt) {
    const int size = size_up_to(roots);
    const int columns_apart = (wrt.count + 63) / 64, rows_apart = (roots.count + 63) / 64;
    const list<set_of_64> variables = find_variables(g, wrt, size, 0, columns_apart);
    list<set_of_64> outputs(size, set_of_64{});
    for (int k = 0, i = 0; i < roots.count; ++k, i += rows_apart)
        if (!roots.items[i].is_zero()) outputs.items[roots.items[i].id] |= set_of_64{1} << k;
    pass_to_operands(g, outputs);
    jacobian_mode_costs visits;
    for (int id = 0; id < size; ++id) {
        if (g.nodes.items[id].what == kind::variable || variables.items[id] == 0 || outputs.items[id] == 0) continue;
        visits.forward += columns_apart * std::popcount(variables.items[id]);
        visits.reverse += rows_apart * std::popcount(outputs.items[id]);
    }
    return visits;
}
[[nodiscard]] constexpr jacobian_mode_costs costs_of_jacobian_modes(canonical_graph& g, const list<term>& roots,
                                                                    const list<int>& wrt) {
    const auto count = [&](jacobian_mode by) { return differentiate::elimination(g, wrt).count(roots, by); };
    const int reverse = count(jacobian_mode::reverse);
    if (reverse < 0) return visits_of_sweeps(g, roots, wrt);
    return {reverse, count(jacobian_mode::forward), count(jacobian_mode::cross_country)};
}
template <int Wrt, relaxed_form Form, class Variables, class Expressions>
[[nodiscard]] consteval jacobian_mode_costs count_jacobian_modes() {
    canonical_graph g;
    lowering l(g);
    list<term> roots;
    (void)lower_all<Form>(l, Variables{}, Expressions{}, roots);
    return costs_of_jacobian_modes(g, roots, first_variables(l, Wrt));
}
// A constant, since several evaluations read it: clang would count in each.
template <int Wrt, relaxed_form Form, class Variables, class Expressions>
inline constexpr jacobian_mode_costs mode_costs = count_jacobian_modes<Wrt, Form, Variables, Expressions>();

/// The mode in which a Jacobian of several rows is derived. Since later passes can share most after reverse sweeps,
/// another mode must save a fifth.
[[nodiscard]] constexpr jacobian_mode cheapest_jacobian_mode(const jacobian_mode_costs& costs) {
    const bool forward = costs.elimination < 0 || costs.forward <= costs.elimination;
    if (5 * (forward ? costs.forward : costs.elimination) >= 4 * costs.reverse) return jacobian_mode::reverse;
    return forward ? jacobian_mode::forward : jacobian_mode::cross_country;
}
/// The mode in which a request is derived. One row is cheapest in reverse mode.
template <unsigned Request, int Wrt, class Variables, relaxed_form Form = relaxed_form::unchosen, class... E>
[[nodiscard]] consteval jacobian_mode cheapest_jacobian_mode(type_list<E...>) {
    constexpr int rows = static_cast<int>(sizeof...(E));
    if constexpr ((Request & jacobians) == 0 || rows < 2 || Wrt < 1) {
        return jacobian_mode::reverse;
    } else {
        return cheapest_jacobian_mode(mode_costs<Wrt, Form, Variables, type_list<E...>>);
    }
}

} // namespace differentiate
} // namespace chainrule
