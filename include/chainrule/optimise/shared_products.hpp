// SPDX-License-Identifier: BSL-1.0
//
// The evaluation of each product of a graph: a list of factors, which the optimisation passes change in turn
// (optimise/products.hpp, optimise/constant_factors.hpp, optimise/pairs.hpp). codegen/schedule.hpp emits it.
#pragma once

#include <chainrule/graph/graph_data.hpp>

namespace chainrule::optimise {

/// A run in the list of literals: the product of these literals, which is the product node divided by c. Its guards are
/// conditions and shares, listed before its literals; if a condition does not hold or a share is 0, the product is
/// zero. Shares are factors too.
struct factored_product {
    int first;
    int count;
    int id; // the product: a node, or the number of an extracted pair
    int c;
    int guards;
};

/// A value node that equals a node times a coefficient; each node has a list of these.
struct scaled_value {
    int c;
    int id;
    int next; // or -1
};

/// How each product is evaluated, in a graph whose sums and outputs refer to the computed terms: a value, a product, or
/// a multiple of one. A literal, as in logic synthesis, is a node or its reciprocal, 2 * id + (1 if reciprocal), or, if
/// negative, the coefficient number -1 - literal. Extracted pairs have numbers after the graph's nodes.
struct factored_products {
    list<bool> needed;     // by node
    list<bool> as_written; // by node: needed as a value
    list<int> factors_of;  // by node: index into factored, or -1
    list<factored_product> factored;
    list<int> literals;

    /// Adds the product of two literals and returns its number, which follows those of the nodes.
    constexpr int add_pair(int left, int right) {
        const int id = factors_of.count;
        factors_of.push_back(factored.count);
        factored.push_back({literals.count, 2, id, 0, 0});
        literals.push_back(left);
        literals.push_back(right);
        return id;
    }
};

/// The values that equal products or multiples of other nodes.
struct equal_values {
    list<term> realized;    // by product: the term of a value node that equals it
    list<int> scaled_heads; // by node: value nodes that equal a multiple of it
    list<scaled_value> scaled;
};

} // namespace chainrule::optimise
