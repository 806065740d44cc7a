// SPDX-License-Identifier: BSL-1.0
//
// The passes of the compiler, in the order in which they run. A new pass is a row of this list and, if it has a new
// kind of result, a part of the state (codegen/compilation.hpp).
#pragma once

#include <chainrule/codegen/compilation.hpp>
#include <chainrule/codegen/order.hpp>
#include <chainrule/optimise/pairs.hpp>
#include <chainrule/optimise/products.hpp>
#include <chainrule/optimise/constant_factors.hpp>
#include <chainrule/optimise/reciprocals.hpp>
#include <chainrule/codegen/schedule.hpp>

namespace chainrule::codegen {

/// The amount of work after which a pass stops, to continue in another constant evaluation.
struct piece {
    int effort = -1;      // deriving: of the graph; -1: the default
    int visits = 1 << 30; // other passes: number of nodes that may be visited, or of instructions, or pairs
};

struct pass {
    const char* name;
    unsigned reads;                          // parts of the state, including parts where it changes a member only
    unsigned changes;                        // parts of the state
    bool (*run)(compilation&, const piece&); // returns false if work is left, for which it must run again
};

/// The work of completing canonical forms in one evaluation, or twice that after deriving: nodes that are visited, and
/// by how much the graph grows.
inline constexpr int work_of_effort = 8;
#if defined(__clang__)
inline constexpr int work_of_noting = 40000;
#else
inline constexpr int work_of_noting = 200000;
#endif

/// Completes a graph with derivatives: records which of its products equal existing values, with at most so much work.
/// Returns whether all are done.
constexpr bool note_value_products(canonical_graph& g, int& next, int work) {
    if (!g.has_derivatives()) return true;
    for (const int all = g.size(); next < all; ++next) { // further nodes are sums and products
        if (--work <= 0) return false;
        if (g.nodes.items[next].what != kind::multiply && g.nodes.items[next].what != kind::divide) continue;
        const int before = g.effort();
        (void)g.canonical(next);
        work -= 8 + work_of_effort * (g.effort() - before);
    }
    return true;
}

/// Derives the rest, and then completes the graph.
constexpr bool derive_pass(compilation& c, const piece& most) {
    problem& p = c.derived;
    // Carrying a coefficient over is work, too.
    const int before = p.g.effort(), carried = p.g.coefficients.magnitudes.count;
    const int work = 2 * work_of_noting - 2 * (carried < work_of_noting / 2 ? carried : work_of_noting / 2);
    if (p.sweep.next >= 0) derive_further(p, most.effort);
    const int effort = p.g.effort() - before + p.visited;
    p.visited = 0; // work that is left begins anew
    if (p.sweep.next >= 0 || !note_value_products(p.g, p.sweep.noted, work - work_of_effort * effort)) return false;
    c.output_count = p.outputs.count;
    for (int id = 0; id < p.g.nodes.count; ++id)
        if (p.g.nodes.items[id].what == kind::product)
            c.factor_pairs += p.g.nodes.items[id].b * (p.g.nodes.items[id].b - 1) / 2;
    return true;
}
constexpr bool products_pass(compilation& c, const piece& most) {
    return product_collection(c.derived.g, c.products, c.values, c.collection, c.derived.rearranged)
        .run(c.derived.outputs, most.visits);
}
constexpr bool constant_factors_pass(compilation& c, const piece& most) {
    if (!constant_factor_placement(c.derived.g, c.products, c.values, c.derived.outputs, c.placement).run(most.visits))
        return false;
    // Before pairs, since the product of two divisors is a number after the graph's nodes, as a pair is. Not a pass of
    // its own: large programs would pay for one more evaluation.
    if (c.derived.rearranged) reciprocal_joining(c.derived.g, c.products, c.derived.outputs).run();
    return true;
}
constexpr bool pairs_pass(compilation& c, const piece& most) {
    return pair_extraction(c.products, c.paired)
        .run(most.visits + most.visits / 2); // a pair takes two thirds of a node's time
}
constexpr bool schedule_pass(compilation& c, const piece& most) {
    return scheduler(c.derived.g, c.products, c.derived.outputs, c.made, c.scheduled, c.derived.first_parameter)
        .run(most.visits);
}
constexpr bool order_pass(compilation& c, const piece& most) {
    return register_order(c.made, c.ordered, c.derived.first_parameter, c.derived.variable_count, c.derived.rearranged)
        .run(most.visits / 3 * 2); // an instruction takes longer than a node
}

inline constexpr pass passes[] = {
    {"derive",
     parts::nodes | parts::pool | parts::canonical | parts::coefficients | parts::intermediate | parts::outputs |
         parts::sweep | parts::index | parts::inputs,
     parts::nodes | parts::pool | parts::canonical | parts::coefficients | parts::intermediate | parts::outputs |
         parts::sweep | parts::index | parts::inputs,
     derive_pass},
    {"products",
     parts::inputs | parts::nodes | parts::pool | parts::canonical | parts::coefficients | parts::outputs |
         parts::intermediate,
     parts::coefficients | parts::demand | parts::factors | parts::multiples | parts::collection, products_pass},
    {"constant factors",
     parts::inputs | parts::nodes | parts::pool | parts::coefficients | parts::outputs | parts::intermediate |
         parts::demand | parts::factors | parts::multiples,
     parts::pool | parts::coefficients | parts::outputs | parts::factors | parts::multiples | parts::placement,
     constant_factors_pass},
    {"pairs", parts::factors, parts::factors | parts::pairs, pairs_pass},
    {"schedule",
     parts::inputs | parts::nodes | parts::pool | parts::coefficients | parts::outputs | parts::demand | parts::factors,
     parts::pool | parts::outputs | parts::instructions | parts::schedule, schedule_pass},
    {"order", parts::inputs | parts::instructions, parts::instructions | parts::order, order_pass},
};
inline constexpr int pass_count = sizeof passes / sizeof *passes;

/// The number of a pass: its position in the list.
[[nodiscard]] consteval int pass_number(const char* name) {
    int i = 0;
    while (!same_text(passes[i].name, name)) ++i;
    return i;
}

/// The parts that the passes from `first` to the one before `last` read, and those that they change. A pass that
/// stopped early reads what it changed.
[[nodiscard]] constexpr unsigned parts_read(int first, int last) {
    unsigned parts = parts::none;
    for (int i = first; i < last; ++i) parts |= passes[i].reads | passes[i].changes;
    return parts;
}
[[nodiscard]] constexpr unsigned parts_changed(int first, int last) {
    unsigned parts = parts::none;
    for (int i = first; i < last; ++i) parts |= passes[i].changes;
    return parts;
}

/// Runs the passes from `first` to the one before `last`, and returns the next one; a pass that stopped early is the
/// next.
constexpr int run_passes(compilation& c, int first, int last = pass_count, const piece& most = {}) {
    while (first < last && passes[first].run(c, most)) ++first;
    return first;
}

/// The straight-line program for outputs of a graph, in one go.
[[nodiscard]] constexpr code schedule(canonical_graph& g, list<term> outputs) {
    compilation c;
    c.derived.g = static_cast<canonical_graph&&>(g);
    c.derived.outputs.swap(outputs);
    run_passes(c, 0);
    g = static_cast<canonical_graph&&>(c.derived.g);
    return static_cast<code&&>(c.made);
}

} // namespace chainrule::codegen
