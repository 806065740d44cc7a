// SPDX-License-Identifier: BSL-1.0
//
// Small matrices by hand: formulas of cofactors up to 3 x 3, elimination with the largest element of a column as the
// pivot beyond, in loops of constant length that the compiler unrolls.
#pragma once

#include <chainrule/fixed_matrix.hpp>

#include <cmath>
#include <cstddef>
#include <utility>

namespace by_hand {

template <std::size_t N>
using matrix = chainrule::fixed_matrix<double, N>;
template <std::size_t N>
using vector = chainrule::fixed_vector<double, N>;

/// Brings the largest element of column k to the diagonal; returns its row.
template <std::size_t N>
std::size_t pivot(matrix<N>& a, std::size_t k) {
    std::size_t p = k;
    for (std::size_t i = k + 1; i < N; ++i)
        if (std::abs(a(i, k)) > std::abs(a(p, k))) p = i;
    if (p != k)
        for (std::size_t j = 0; j < N; ++j) std::swap(a(p, j), a(k, j));
    return p;
}

template <std::size_t N>
double determinant(matrix<N> a) {
    if constexpr (N == 2) {
        return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
    } else if constexpr (N == 3) {
        return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) + a(0, 1) * (a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2)) +
               a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
    } else {
        double product = 1.0;
        for (std::size_t k = 0; k < N; ++k) {
            if (pivot(a, k) != k) product = -product;
            product *= a(k, k);
            for (std::size_t i = k + 1; i < N; ++i) {
                const double factor = a(i, k) / a(k, k);
                for (std::size_t j = k + 1; j < N; ++j) a(i, j) -= factor * a(k, j);
            }
        }
        return product;
    }
}

template <std::size_t N>
matrix<N> inverse(matrix<N> a) {
    if constexpr (N == 2) {
        const double r = 1.0 / determinant(a);
        return {{r * a(1, 1), -r * a(0, 1)}, {-r * a(1, 0), r * a(0, 0)}};
    } else if constexpr (N == 3) {
        const double c0 = a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1);
        const double c1 = a(1, 2) * a(2, 0) - a(1, 0) * a(2, 2);
        const double c2 = a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0);
        const double r = 1.0 / (a(0, 0) * c0 + a(0, 1) * c1 + a(0, 2) * c2);
        return {{r * c0, r * (a(0, 2) * a(2, 1) - a(0, 1) * a(2, 2)), r * (a(0, 1) * a(1, 2) - a(0, 2) * a(1, 1))},
                {r * c1, r * (a(0, 0) * a(2, 2) - a(0, 2) * a(2, 0)), r * (a(0, 2) * a(1, 0) - a(0, 0) * a(1, 2))},
                {r * c2, r * (a(0, 1) * a(2, 0) - a(0, 0) * a(2, 1)), r * (a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0))}};
    } else {
        std::size_t exchanged[N];
        for (std::size_t k = 0; k < N; ++k) {
            exchanged[k] = pivot(a, k);
            const double r = 1.0 / a(k, k);
            a(k, k) = 1.0;
            for (std::size_t j = 0; j < N; ++j) a(k, j) *= r;
            for (std::size_t i = 0; i < N; ++i) {
                if (i == k) continue;
                const double factor = a(i, k);
                a(i, k) = 0.0;
                for (std::size_t j = 0; j < N; ++j) a(i, j) -= factor * a(k, j);
            }
        }
        for (std::size_t k = N; k-- > 0;)
            if (exchanged[k] != k)
                for (std::size_t i = 0; i < N; ++i) std::swap(a(i, k), a(i, exchanged[k]));
        return a;
    }
}

template <std::size_t N>
vector<N> solve(matrix<N> a, vector<N> b) {
    if constexpr (N == 2) {
        const double r = 1.0 / determinant(a);
        return {r * (a(1, 1) * b[0] - a(0, 1) * b[1]), r * (a(0, 0) * b[1] - a(1, 0) * b[0])};
    } else {
        double reciprocals[N];
        for (std::size_t k = 0; k < N; ++k) {
            const std::size_t p = pivot(a, k);
            std::swap(b[p], b[k]);
            reciprocals[k] = 1.0 / a(k, k);
            for (std::size_t i = k + 1; i < N; ++i) {
                const double factor = a(i, k) * reciprocals[k];
                for (std::size_t j = k + 1; j < N; ++j) a(i, j) -= factor * a(k, j);
                b[i] -= factor * b[k];
            }
        }
        for (std::size_t k = N; k-- > 0;) {
            for (std::size_t i = k + 1; i < N; ++i) b[k] -= a(k, i) * b[i];
            b[k] *= reciprocals[k];
        }
        return b;
    }
}

template <std::size_t N>
matrix<N> cholesky(const matrix<N>& a) {
    matrix<N> lower;
    for (std::size_t j = 0; j < N; ++j) {
        double square = a(j, j);
        for (std::size_t k = 0; k < j; ++k) square -= lower(j, k) * lower(j, k);
        lower(j, j) = std::sqrt(square);
        const double r = 1.0 / lower(j, j);
        for (std::size_t i = j + 1; i < N; ++i) {
            double sum = a(i, j);
            for (std::size_t k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
            lower(i, j) = sum * r;
        }
    }
    return lower;
}

template <std::size_t N>
vector<N> solve_definite(const matrix<N>& a, vector<N> b) {
    double lower[N][N], reciprocals[N];
    for (std::size_t j = 0; j < N; ++j) {
        double square = a(j, j);
        for (std::size_t k = 0; k < j; ++k) square -= lower[j][k] * lower[j][k];
        reciprocals[j] = 1.0 / std::sqrt(square);
        for (std::size_t i = j + 1; i < N; ++i) {
            double sum = a(i, j);
            for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
            lower[i][j] = sum * reciprocals[j];
        }
    }
    for (std::size_t i = 0; i < N; ++i) {
        for (std::size_t k = 0; k < i; ++k) b[i] -= lower[i][k] * b[k];
        b[i] *= reciprocals[i];
    }
    for (std::size_t i = N; i-- > 0;) {
        for (std::size_t k = i + 1; k < N; ++k) b[i] -= lower[k][i] * b[k];
        b[i] *= reciprocals[i];
    }
    return b;
}

template <std::size_t N>
matrix<N> product(const matrix<N>& a, const matrix<N>& b) {
    matrix<N> r;
    for (std::size_t i = 0; i < N; ++i)
        for (std::size_t k = 0; k < N; ++k)
            for (std::size_t j = 0; j < N; ++j) r(i, j) += a(i, k) * b(k, j);
    return r;
}

} // namespace by_hand
