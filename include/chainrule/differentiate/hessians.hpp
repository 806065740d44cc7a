// SPDX-License-Identifier: BSL-1.0
//
// Hessians from first derivatives, row by row of their upper triangles, in the cheaper of two forms. A reverse sweep
// from the derivative with respect to a variable gives its row, and so does a forward sweep along the axis of the
// variable to all first derivatives from this one on. Neither form is always the cheaper one: in reverse, the rows of a
// matrix product are often summed anew for each entry, since an adjoint of one of them is a sum itself; forward, a
// result that depends on all variables has a tangent for each. No property of the values tells them apart, so the first
// rows are derived in both forms.
#pragma once

#include <chainrule/differentiate/adjoint.hpp>
#include <chainrule/differentiate/tangent.hpp>
#include <chainrule/graph/cost.hpp>

namespace chainrule::differentiate {

/// The forms of a Hessian.
enum class hessian_form {
    unchosen, ///< no rows are derived yet
    reverse,  ///< a reverse sweep for each row
    forward,  ///< a forward sweep for each row
};

/// Derives the rows of Hessians in one form.
class hessian_rows {
public:
    constexpr hessian_rows(canonical_graph& g, const list<int>& variables, hessian_form form)
        : variables_(variables), reverse_(g, variables), forward_(g, variables), form_(form) {}

    /// Appends the row that begins with the derivative of number i by the variable of this number. Pauses after that
    /// much effort of the graph; then `state` describes the rest, and `begun` continues the row.
    constexpr void append_row(const list<term>& first, int i, list<term>& hessians, int effort, paused_sweep& state,
                              bool begun = false) {
        const int columns = variables_.count, v = i % columns;
        if (form_ == hessian_form::reverse)
            return begun ? reverse_.resume(hessians, effort, state)
                         : reverse_.start(first.items[i], hessians, effort, state, v);
        list<term> axis(columns, graph::zero_term), entries;
        axis.items[v] = {0, canonical_graph::one};
        for (int j = v; j < columns; ++j) entries.push_back(first.items[i - v + j]);
        return begun ? forward_.resume(entries, hessians, effort, state)
                     : forward_.start(entries, axis, hessians, effort, state);
    }

    /// The work of the last row besides the effort of the graph, in nodes that were visited.
    [[nodiscard]] constexpr int visits() const {
        return form_ == hessian_form::reverse ? reverse_.visits() : forward_.visits();
    }

private:
    const list<int>& variables_;
    adjoint_sweep reverse_;
    tangent_sweep forward_;
    hessian_form form_;
};

/// The cost of computing outputs, in halves of an addition, before later passes share the products of factors. What
/// they will share is not known yet: a product of n factors takes from one multiplication to n - 1 of them, and counts
/// as the mean.
[[nodiscard]] constexpr int twice_estimated_cost(const graph_data& g, const list<term>& outputs) {
    const list<bool> needed = find_needed(g, outputs);
    list<bool> inverted(needed.count, false); // divisions by one node share its reciprocal
    int cost = 0;
    const auto invert = [&](int id) {
        if (!inverted.items[id]) cost += 2 * graph::operation_cost::division;
        inverted.items[id] = true;
    };
    for (int id = 0; id < needed.count; ++id) {
        if (!needed.items[id]) continue;
        const node& n = g.nodes.items[id];
        if (n.what == kind::sum) {
            cost += 2 * (n.b - 1);
        } else if (n.what == kind::product) {
            for (int i = n.a; i < n.a + n.b; ++i) {
                const int exponent = g.pool.items[i].c;
                cost += exponent < 0 ? -exponent : exponent;
                if (exponent < 0) invert(g.pool.items[i].id);
            }
        } else if (n.what == kind::divide) {
            invert(n.b);
            cost += 2;
        } else if (n.what == kind::call || n.what == kind::call_of_three) {
            cost += 2 * graph::call_cost(n.function);
        } else if (n.what >= kind::negate) {
            cost += 2;
        }
    }
    return cost;
}

/// The growth of both graphs together after which the rows so far decide which form is cheaper: all rows of a small
/// Hessian, and more of a large one would take compilers long. The same on all compilers, so that the program is.
inline constexpr int most_compared = 2000;
/// The nodes that may be visited for rows that are compared.
inline constexpr int most_visited = 14000;
/// The effort of a row in one form above which it is not compared, and the size of such graphs.
inline constexpr int most_effort_of_row = 5000, largest_compared = 4000;
/// The terms of long sums among the values above which rows are not compared: each form would multiply as many
/// coefficients for one row.
inline constexpr int most_terms_compared = 800;

/// Whether there is a power that is neither a product nor a root. If its exponent is a variable, the derivative with
/// respect to the base and then to the exponent has its limit where the base is 0; in the other order, as a forward
/// sweep takes it, it is a quotient of zeros.
[[nodiscard]] constexpr bool has_general_powers(const graph_data& g) {
    for (int id = 0; id < g.nodes.count; ++id)
        if (g.is_call(id, functions::pow::position)) return true;
    return false;
}

/// The first rows of Hessians: the constructor derives them in both forms and keeps the cheaper. Nothing that only the
/// other form needs remains in the graph. Of large graphs, and if the rows are long, there are none, but a form.
struct first_rows {
    hessian_form form = hessian_form::reverse;
    int count = 0;
    int growth = 0; // of both graphs, and by the copy
    int visits = 0; // of nodes, in both

    /// Appends the rows to `hessians`. `besides` are the other outputs, whose parts take nothing more.
    constexpr first_rows(canonical_graph& g, const list<int>& variables, const list<term>& first,
                         const list<term>& besides, list<term>& hessians) {
        if (has_general_powers(g)) return;
        // Several long sums among the values are mostly a matrix product.
        bool forward_is_cheaper = g.linear_form_count() >= 3;
        const int before = size_of_graph(g);
        if (before > largest_compared || (forward_is_cheaper && g.linear_form_terms() > most_terms_compared)) {
            if (forward_is_cheaper) form = hessian_form::forward;
            return;
        }
        canonical_graph other = g;
        list<term> by_adjoints = besides, by_tangents = besides;
        {
            hessian_rows reverse(g, variables, hessian_form::reverse), forward(other, variables, hessian_form::forward);
            for (paused_sweep left; count < first.count && growth - before < most_compared && visits < most_visited;
                 ++count) {
                forward.append_row(first, count, by_tangents, most_effort_of_row, left);
                if (left.next < 0) reverse.append_row(first, count, by_adjoints, most_effort_of_row, left);
                growth = size_of_graph(g) + size_of_graph(other) - before;
                visits += reverse.visits() + forward.visits();
                if (left.next >= 0) break; // the row is long
            }
        }
        by_tangents.truncate(by_adjoints.count); // the last row may be complete in this form alone
        if (count > 0)
            forward_is_cheaper = twice_estimated_cost(other, by_tangents) < twice_estimated_cost(g, by_adjoints);
        if (forward_is_cheaper) {
            form = hessian_form::forward;
            g = static_cast<canonical_graph&&>(other);
        }
        const list<term>& entries = forward_is_cheaper ? by_tangents : by_adjoints;
        for (int i = besides.count; i < entries.count; ++i) hessians.push_back(entries.items[i]);
    }
};

} // namespace chainrule::differentiate
