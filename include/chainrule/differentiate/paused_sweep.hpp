// SPDX-License-Identifier: BSL-1.0
//
// The state between two pieces of a derivation, which may pause within a sweep of any mode.
#pragma once

#include <chainrule/graph/canonical_graph.hpp>

namespace chainrule::differentiate {

/// The size of a graph, in nodes and terms. A coefficient counts as three: it is computed, and saved in two words.
[[nodiscard]] constexpr int size_of_graph(const canonical_graph& g) {
    return g.nodes.count + g.pool.count + 3 * g.coefficients.magnitudes.count;
}

/// A part of the adjoint of a node.
struct contribution {
    term value;
    int next; // the one before it to the same node, or -1
};

/// The state of a sweep that paused, and of the derivation that it belongs to (differentiate/derivation.hpp), so that
/// another constant evaluation can continue them.
struct paused_sweep {
    int next = -1;  // the node with which it continues, or -1
    int summed = 0; // afterwards: the first variables, whose derivatives are complete
    int noted = 0;  // after that: the first nodes, whose canonical forms are complete
    list<int> variables;
    list<int> heads; // by node: the last of its contributions, or -1
    list<bool> depends;
    list<contribution> contributions;
    list<term> tangents; // of a forward sweep, by node; of Taylor coefficients, by node and order
    // Of Taylor coefficients besides (differentiate/taylor.hpp).
    list<int> waiting, partials, operands;
    // Of the derivation: what is requested, and the mode of a Jacobian; the next mode of the request; how many of its
    // sweeps are done, and whether another has begun; the form of Hessians; which derivatives that modes share are
    // complete; the outputs, these derivatives, and what the sweeps of a mode have made so far.
    int request = 0, by = 0, mode = 0, sweeps_done = 0;
    bool begun = false;
    int form = 0, complete = 0;
    list<term> roots, first, second, weighted, made;
    // Of Hessians without zeros: the entries so far, and their positions among all that have been passed.
    list<term> entries;
    list<int> places;
    int passed = 0;
};

} // namespace chainrule::differentiate
