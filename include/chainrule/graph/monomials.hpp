// SPDX-License-Identifier: BSL-1.0
//
// Exponents of exponentials, multiplied out into monomials so that they can be compared
// (graph/canonical_graph/exponentials.hpp).
#pragma once

#include <chainrule/graph/graph_data.hpp>

namespace chainrule::graph {

/// A coefficient times powers of nodes, in the expansion of an exponent.
struct monomial {
    static constexpr int most_factors = 8;
    term factors[most_factors] = {}; // the exponent and the node, sorted by node
    int count = 0;
    int c = 0;
    bool too_long = false;

    [[nodiscard]] constexpr bool like(const monomial& other) const {
        for (int i = 0; i < count && i < other.count; ++i)
            if (factors[i] != other.factors[i]) return false;
        return count == other.count;
    }
    [[nodiscard]] constexpr int degree() const {
        int sum = 0;
        for (int i = 0; i < count; ++i) sum += factors[i].c < 0 ? -factors[i].c : factors[i].c;
        return sum;
    }
};
/// A call of exp, and the run of monomials that is its exponent.
struct exponential {
    int id = 0;
    int first = 0;
    int count = 0;
    bool bell = false; // the exponent is a negative square, of a derivative
};

} // namespace chainrule::graph
