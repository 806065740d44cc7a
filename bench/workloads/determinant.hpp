// SPDX-License-Identifier: BSL-1.0
//
// The determinant of an 8 x 8 matrix by expansion in minors, which visits 69 281 minors, and its gradient: many small
// operations on few inputs, recursive calls. by_hand walks the same recursion. Sharing equal minors, or elimination,
// would be another algorithm, not another derivative. And that of a 4 x 4 matrix, which an expression can have.
#pragma once

#include <chainrule/chainrule.hpp>

#include <bit>

#include "minors.hpp"
#include "results.hpp"

namespace workloads {

/// The minor of the rows from this one on and the columns in the set, by expansion along the first row.
template <int Order, class T>
T minor_of(const T* matrix, int row, unsigned columns) {
    if (row == Order - 1) return matrix[Order * row + std::countr_zero(columns)];
    T sum(0.0);
    bool minus = false;
    for (int column = 0; column < Order; ++column) {
        if (!(columns >> column & 1u)) continue;
        const T term = matrix[Order * row + column] * minor_of<Order>(matrix, row + 1, columns & ~(1u << column));
        if (minus)
            sum -= term;
        else
            sum += term;
        minus = !minus;
    }
    return sum;
}

/// Numbers of a well-conditioned matrix: larger on the diagonal.
template <int Order>
constexpr point<std::size_t{Order} * Order> random_matrix() {
    seeded random(8);
    point<std::size_t{Order} * Order> matrix{};
    for (int i = 0; i < Order; ++i)
        for (int j = 0; j < Order; ++j)
            matrix[static_cast<std::size_t>(Order * i + j)] = random.between(-0.4, 0.4) + (i == j ? 1.5 : 0.0);
    return matrix;
}

struct determinant {
    static constexpr auto name = "Determinant 8 x 8 by minors";
    static constexpr int order = 8;
    static constexpr point<64> at = random_matrix<order>();
    using data = no_data;

    template <class T>
    static T ordinary(const data&, const T* x) {
        return minor_of<order>(x, 0, (1u << order) - 1u);
    }

    static value_and_gradient<64> by_hand(const data&, const point<64>& x) {
        value_and_gradient<64> result{};
        result.value = add_slopes_of_minors<order>(x.data(), result.gradient.data(), (1u << order) - 1u, 1.0);
        return result;
    }
};

struct determinant_of_four {
    static constexpr auto name = "Determinant 4 x 4";
    static constexpr point<16> at = random_matrix<4>();
    using data = no_data;

    static constexpr auto function(const data& = {}) {
        namespace cr = chainrule;
        constexpr auto x = cr::variables<"x", 16>;
        constexpr auto row = [=]<int I>(std::integral_constant<int, I>) {
            return cr::vector(x.template get<4 * I>(), x.template get<4 * I + 1>(), x.template get<4 * I + 2>(),
                              x.template get<4 * I + 3>());
        };
        constexpr auto matrix =
            cr::matrix(row(std::integral_constant<int, 0>{}), row(std::integral_constant<int, 1>{}),
                       row(std::integral_constant<int, 2>{}), row(std::integral_constant<int, 3>{}));
        return cr::function(cr::determinant(matrix), cr::wrt(x));
    }

    template <class T>
    static T ordinary(const data&, const T* x) {
        return minor_of<4>(x, 0, 15u);
    }

    /// By the 2 x 2 minors of the upper rows, each times that of the lower rows in the other columns.
    static value_and_gradient<16> by_hand(const data&, const point<16>& x) {
        value_and_gradient<16> result;
        const double *a = x.data(), *b = a + 4, *c = a + 8, *d = a + 12;
        constexpr std::size_t first[] = {0, 0, 0, 1, 1, 2}, second[] = {1, 2, 3, 2, 3, 3};
        double upper[6], lower[6];
#pragma GCC unroll 6
        for (std::size_t k = 0; k < 6; ++k) {
            upper[k] = a[first[k]] * b[second[k]] - a[second[k]] * b[first[k]];
            lower[k] = c[first[k]] * d[second[k]] - c[second[k]] * d[first[k]];
        }
        result.value = upper[0] * lower[5] - upper[1] * lower[4] + upper[2] * lower[3] + upper[3] * lower[2] -
                       upper[4] * lower[1] + upper[5] * lower[0];
        // The derivative by a pair's minor is the other pair's, so that by an entry takes three products.
        const auto derive = [&](const double* other, const double* minors, std::size_t to, double sign) {
            double* g = result.gradient.data() + to;
            g[0] = sign * (other[1] * minors[5] - other[2] * minors[4] + other[3] * minors[3]);
            g[1] = sign * (other[2] * minors[2] - other[0] * minors[5] - other[3] * minors[1]);
            g[2] = sign * (other[0] * minors[4] - other[1] * minors[2] + other[3] * minors[0]);
            g[3] = sign * (other[1] * minors[1] - other[0] * minors[3] - other[2] * minors[0]);
        };
        derive(b, lower, 0, 1.0);
        derive(a, lower, 4, -1.0);
        derive(d, upper, 8, 1.0);
        derive(c, upper, 12, -1.0);
        return result;
    }
};

} // namespace workloads
