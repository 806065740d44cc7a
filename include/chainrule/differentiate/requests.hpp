// SPDX-License-Identifier: BSL-1.0
//
// Requests: what a program computes of expressions, and the graph with the results.
#pragma once

#include <chainrule/differentiate/paused_sweep.hpp>

namespace chainrule {

/// The results of a program: any combination, as a sum. The outputs are in this order.
namespace request {
/// What is computed. As in a sum: `request::values | request::jacobians`
enum flags : unsigned {
    values = 1,                ///< one for each expression
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

namespace differentiate {

/// A request for Taylor coefficients from order 0, the value, up to `order`.
[[nodiscard]] constexpr unsigned taylor_order(int order) { return static_cast<unsigned>(order) << 16; }

/// The graph of expressions with the requested results.
struct problem {
    canonical_graph g;
    list<term> outputs;
    list<int> pattern; // without zeros: the position, among all derivatives, of each remaining one
    int variable_count = 0;
    int first_parameter = 1 << 30; // inputs from this one to the last variable are parameters
    int unused = -1;
    bool too_large = false;  // the expressions have more than CHAINRULE_MAX_OPERATIONS operations
    bool rearranged = false; // whether there are relaxed values, rearranged (graph/relaxed.hpp)
    bool relaxed = false;    // whether relaxed() marks every expression
    paused_sweep sweep;      // the rest of the derivation, if it is too long for one constant evaluation
    int visited = 0;         // the effort of sweeps in this evaluation besides that of the graph, up to about 2^20

    constexpr problem() = default;
    constexpr explicit problem(empty_graph_tag read) : g(read) {}
};

} // namespace differentiate
} // namespace chainrule
