// SPDX-License-Identifier: BSL-1.0
//
// A determinant and its gradient by expansion in minors, by hand.
#pragma once

#include <bit>

namespace workloads {

/// A minor of an Order x Order matrix, at least 3 x 3, by expansion along its rows, by hand: of the rows from this one
/// on and the columns in the set. Its adjoint is known on the way down, so one descent gives the value and adds up the
/// gradient.
template <int Order, int Row = 0>
double add_slopes_of_minors(const double* __restrict matrix, double* __restrict gradient, unsigned columns,
                            double adjoint) {
    const double* entry = matrix + Order * Row;
    double* d_entry = gradient + Order * Row;
    if constexpr (Row == Order - 3) {
        // The last three rows a, b, c at once: entries and cofactors in registers, nine sums to memory.
        const int p = std::countr_zero(columns), r = static_cast<int>(std::bit_width(columns)) - 1;
        const int q = std::countr_zero(columns & (columns - 1u));
        const double *b = entry + Order, *c = b + Order;
        double *d_b = d_entry + Order, *d_c = d_b + Order;
        const double minor_p = b[q] * c[r] - b[r] * c[q];
        const double minor_q = b[r] * c[p] - b[p] * c[r];
        const double minor_r = b[p] * c[q] - b[q] * c[p];
        const double d_p = adjoint * entry[p], d_q = adjoint * entry[q], d_r = adjoint * entry[r];
        const double result = entry[p] * minor_p + entry[q] * minor_q + entry[r] * minor_r;
        d_entry[p] += adjoint * minor_p;
        d_entry[q] += adjoint * minor_q;
        d_entry[r] += adjoint * minor_r;
        d_b[p] += d_r * c[q] - d_q * c[r];
        d_b[q] += d_p * c[r] - d_r * c[p];
        d_b[r] += d_q * c[p] - d_p * c[q];
        d_c[p] += d_q * b[r] - d_r * b[q];
        d_c[q] += d_r * b[p] - d_p * b[r];
        d_c[r] += d_p * b[q] - d_q * b[p];
        return result;
    } else {
        double sum = 0.0, sign = 1.0;
        for (unsigned left = columns; left != 0; left &= left - 1u) {
            const int column = std::countr_zero(left);
            const double signed_adjoint = sign * adjoint, factor = entry[column];
            const double rest = add_slopes_of_minors<Order, Row + 1>(matrix, gradient, columns & ~(1u << column),
                                                                     signed_adjoint * factor);
            d_entry[column] += signed_adjoint * rest;
            sum += sign * factor * rest;
            sign = -sign;
        }
        return sum;
    }
}

} // namespace workloads
