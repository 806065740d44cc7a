// SPDX-License-Identifier: BSL-1.0
//
// The determinant of an 8 x 8 matrix by expansion in minors, which visits 69 281 minors, and its gradient: many small
// operations on few inputs, recursive calls. by_hand walks the same recursion. Sharing equal minors, or elimination, would be
// another algorithm, not another derivative.
#pragma once

#include <bit>

#include "results.hpp"

namespace workloads {

struct determinant {
    static constexpr auto name = "Determinant 8 x 8 by minors";
    static constexpr int order = 8;
    static constexpr point<64> at = [] {
        seeded random(8);
        point<64> matrix{};
        for (int i = 0; i < order; ++i)
            for (int j = 0; j < order; ++j)
                matrix[static_cast<std::size_t>(order * i + j)] = random.between(-0.4, 0.4) + (i == j ? 1.5 : 0.0);
        return matrix;
    }();
    using data = no_data;

    /// The minor of the rows from this one on and the columns in the set.
    template <class T>
    static T minor_of(const T* matrix, int row, unsigned columns) {
        if (row == order - 1) return matrix[order * row + std::countr_zero(columns)];
        T sum(0.0);
        bool minus = false;
        for (int column = 0; column < order; ++column) {
            if (!(columns >> column & 1u)) continue;
            const T term = matrix[order * row + column] * minor_of(matrix, row + 1, columns & ~(1u << column));
            if (minus)
                sum -= term;
            else
                sum += term;
            minus = !minus;
        }
        return sum;
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        return minor_of(x, 0, (1u << order) - 1u);
    }

    /// The adjoint of a minor is known on the way down, so one descent gives the value and adds up the gradient.
    template <int Row>
    static double descend(const double* __restrict matrix, double* __restrict gradient, unsigned columns, double adjoint) {
        const double* entry = matrix + order * Row;
        double* d_entry = gradient + order * Row;
        if constexpr (Row == order - 3) {
            // The last three rows a, b, c at once: entries and cofactors in registers, nine sums to memory.
            const int p = std::countr_zero(columns), r = static_cast<int>(std::bit_width(columns)) - 1;
            const int q = std::countr_zero(columns & (columns - 1u));
            const double *b = entry + order, *c = b + order;
            double *d_b = d_entry + order, *d_c = d_b + order;
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
                const double rest =
                    descend<Row + 1>(matrix, gradient, columns & ~(1u << column), signed_adjoint * factor);
                d_entry[column] += signed_adjoint * rest;
                sum += sign * factor * rest;
                sign = -sign;
            }
            return sum;
        }
    }

    static value_and_gradient<64> by_hand(const data&, const point<64>& x) {
        value_and_gradient<64> result{};
        result.value = descend<0>(x.data(), result.gradient.data(), (1u << order) - 1u, 1.0);
        return result;
    }
};

}  // namespace workloads
