// SPDX-License-Identifier: BSL-1.0
//
// The state of a compilation: all data that the passes (codegen/passes.hpp) exchange, in named parts. Each pass states
// which parts it reads and changes, so the list of passes determines what is carried from one constant evaluation to
// the next (codegen/saved.hpp).
#pragma once

#include <chainrule/codegen/order.hpp>
#include <chainrule/codegen/schedule.hpp>
#include <chainrule/differentiate/derive.hpp>
#include <chainrule/optimise/constant_factors.hpp>
#include <chainrule/optimise/pairs.hpp>
#include <chainrule/optimise/products.hpp>

namespace chainrule::codegen {

/// The results of the passes so far.
struct compilation {
    problem derived;
    int output_count = 0;
    int factor_pairs = 0; // in all products of the graph
    factored_products products;
    equal_values values;
    code made;
    // How far the passes of these names are, if they stopped early.
    product_collection::progress collection;
    constant_factor_placement::progress placement;
    pair_extraction::progress paired;
    scheduler::progress scheduled;
    register_order::progress ordered;

    /// The state after a problem, or its first piece, was derived.
    constexpr explicit compilation(problem&& p) : derived(static_cast<problem&&>(p)) {}
    /// An empty state, to be read from a saved one.
    constexpr compilation() : derived(empty_graph_tag{}) {}
};

/// The parts of the state, as a set of bits.
namespace parts {

// Numbers, not an enumeration, whose operator | clang would look for among all built-in ones.
inline constexpr unsigned none = 0;
inline constexpr unsigned inputs = 1;        // the meaning of a program's inputs and outputs
inline constexpr unsigned nodes = 2;         // of the graph
inline constexpr unsigned pool = 4;          // terms of its sums, factors of its products
inline constexpr unsigned canonical = 8;     // its nodes as a coefficient times a product
inline constexpr unsigned coefficients = 16; // that occur in it
inline constexpr unsigned intermediate = 32; // intermediate values and derivatives
inline constexpr unsigned outputs = 64;      // as terms of the graph
inline constexpr unsigned sweep = 128;       // the rest of the derivation
inline constexpr unsigned demand = 256;      // the needed nodes, and how they are needed
inline constexpr unsigned factors = 512;     // how each product is evaluated
inline constexpr unsigned multiples = 1024;  // values that equal products, or multiples of nodes
inline constexpr unsigned instructions = 2048;
inline constexpr unsigned index = 4096; // with which nodes are added to the graph
// The progress of passes that stopped early.
inline constexpr unsigned collection = 8192;
inline constexpr unsigned placement = 16384;
inline constexpr unsigned schedule = 32768;
inline constexpr unsigned order = 65536;
inline constexpr unsigned pairs = 131072;

/// The parts that short programs carry: no pass stops early, and the evaluation that makes instructions is the last.
inline constexpr unsigned of_short_programs =
    inputs | nodes | pool | canonical | coefficients | intermediate | outputs | demand | factors | multiples;
inline constexpr unsigned all = ~0u;

} // namespace parts

/// Visits the members of the state: calls visit(member) for each member of each part for which visit.enters(part) is
/// true, always in the same order. Only the given parts can occur: nothing is instantiated for the others.
template <unsigned Parts = parts::all, class Compilation, class Visitor>
constexpr void each_part(Compilation& c, Visitor& visit) {
    auto& g = c.derived.g;
    if (visit.enters(parts::inputs)) {
        visit(c.derived.variable_count);
        visit(c.derived.first_parameter);
        visit(c.derived.unused);
        visit(c.derived.pattern);
        visit(c.derived.rearranged);
        visit(g.several_outputs);
        visit(c.derived.relaxed);
        visit(c.output_count);
        visit(g.custom_functions);
    }
    if (visit.enters(parts::nodes)) visit(g.nodes);
    if (visit.enters(parts::pool)) visit(g.pool);
    if (visit.enters(parts::canonical)) {
        visit(g.canonical_terms);
        visit(g.cancelling);
    }
    if (visit.enters(parts::coefficients)) visit(g.coefficients.magnitudes);
    if (visit.enters(parts::intermediate)) visit(g.intermediate);
    if (visit.enters(parts::outputs)) visit(c.derived.outputs);
    if constexpr ((Parts & parts::sweep) != 0)
        if (visit.enters(parts::sweep)) {
            auto& left = c.derived.sweep;
            visit(left.next);
            visit(left.summed);
            visit(left.noted);
            visit(left.variables);
            visit(left.heads);
            visit(left.depends);
            visit(left.contributions);
            visit(left.tangents);
            visit(left.waiting);
            visit(left.partials);
            visit(left.operands);
            visit(left.request);
            visit(left.by);
            visit(left.mode);
            visit(left.sweeps_done);
            visit(left.begun);
            visit(left.form);
            visit(left.complete);
            visit(left.roots);
            visit(left.first);
            visit(left.second);
            visit(left.weighted);
            visit(left.made);
            visit(left.entries);
            visit(left.places);
            visit(left.passed);
        }
    if constexpr ((Parts & parts::index) != 0)
        if (visit.enters(parts::index)) canonical_graph::each_index(g, visit);
    if (visit.enters(parts::demand)) {
        visit(c.products.needed);
        visit(c.products.as_written);
    }
    if (visit.enters(parts::factors)) {
        visit(c.products.factors_of);
        visit(c.products.factored);
        visit(c.products.literals);
    }
    if (visit.enters(parts::multiples)) {
        visit(c.values.realized);
        visit(c.values.scaled_heads);
        visit(c.values.scaled);
    }
    if constexpr ((Parts & parts::instructions) != 0)
        if (visit.enters(parts::instructions)) {
            visit(c.made.pair_places);
            visit(c.made.calls_end);
            visit(c.made.conditional);
            visit(c.made.body);
            visit(c.made.constants);
        }
    if constexpr ((Parts & parts::collection) != 0)
        if (visit.enters(parts::collection)) c.collection.each_member(c.collection, visit);
    if constexpr ((Parts & parts::placement) != 0)
        if (visit.enters(parts::placement)) c.placement.each_member(c.placement, visit);
    if constexpr ((Parts & parts::pairs) != 0)
        if (visit.enters(parts::pairs)) c.paired.each_member(c.paired, visit);
    if constexpr ((Parts & parts::schedule) != 0)
        if (visit.enters(parts::schedule)) c.scheduled.each_member(c.scheduled, visit);
    if constexpr ((Parts & parts::order) != 0)
        if (visit.enters(parts::order)) c.ordered.each_member(c.ordered, visit);
}

} // namespace chainrule::codegen
