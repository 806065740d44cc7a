// SPDX-License-Identifier: BSL-1.0
//
// Small linear systems, one per lane: Gaussian elimination whose pivots are chosen in each lane by selection, and the
// Cholesky factorisation of symmetric matrices. Lanes do not influence one another.
#pragma once

#include <chainrule/batch/reductions.hpp>

namespace chainrule::batches {

template <class L>
[[gnu::always_inline]] inline L magnitude(const L& x) {
    if constexpr (lane_count<L> == 1)
        return x < L(0) ? -x : x;
    else
        return abs_at_once(x);
}
template <class L>
[[gnu::always_inline]] inline auto is_finite(const L& x) {
    return x - x == L(0);
}
template <class Mask, class L>
[[gnu::always_inline]] inline void exchange_where(const Mask& mask, L& a, L& b) {
    const L first = a;
    a = select(mask, b, a);
    b = select(mask, first, b);
}

/// Solves J d = r by Gaussian elimination with the pivots of each lane: r becomes d. Returns in which lanes J is
/// singular; there d is of no use.
template <std::size_t N, class L>
[[gnu::always_inline]] inline auto eliminate(L (&j)[N][N], L (&r)[N]) {
    auto singular = L(0) != L(0);
    for_each_index<N>([&](std::size_t k) __attribute__((always_inline)) {
        for (std::size_t i = k + 1; i < N; ++i) {
            const auto larger = magnitude(j[k][k]) < magnitude(j[i][k]);
            for (std::size_t l = k; l < N; ++l) exchange_where(larger, j[k][l], j[i][l]);
            exchange_where(larger, r[k], r[i]);
        }
        singular = singular | !(magnitude(j[k][k]) > L(0));
        for (std::size_t i = k + 1; i < N; ++i) {
            const L factor = j[i][k] / j[k][k];
            for (std::size_t l = k + 1; l < N; ++l) j[i][l] = j[i][l] - factor * j[k][l];
            r[i] = r[i] - factor * r[k];
        }
    });
    for (std::size_t k = N; k-- > 0;) {
        for (std::size_t l = k + 1; l < N; ++l) r[k] = r[k] - j[k][l] * r[l];
        r[k] = r[k] / j[k][k];
    }
    return singular;
}

/// The place of entry (i, j), i <= j, in the upper triangle of a symmetric matrix, row by row.
template <std::size_t N>
[[nodiscard]] constexpr std::size_t triangle_place(std::size_t i, std::size_t j) {
    return i * N - i * (i + 1) / 2 + j;
}

/// Solves A x = b for a positive definite A, given by its upper triangle, which is overwritten by its factors L D L^T:
/// b becomes x. Where A is not positive definite, some x is NaN.
template <std::size_t N, class L>
[[gnu::always_inline]] inline void solve_positive(L* a, L* b) {
    const auto at = [&](std::size_t i, std::size_t j)
                        __attribute__((always_inline)) -> L& { return a[triangle_place<N>(i, j)]; };
    // Row by row of the upper factor; at(j, j) becomes the reciprocal of the pivot.
    for (std::size_t j = 0; j < N; ++j) {
        const L none = L(0);
        at(j, j) = select(at(j, j) > none, L(1) / at(j, j), none / none);
        for (std::size_t i = j + 1; i < N; ++i) {
            const L factor = at(j, i) * at(j, j);
            for (std::size_t l = i; l < N; ++l) at(i, l) = at(i, l) - factor * at(j, l);
            b[i] = b[i] - factor * b[j];
        }
    }
    for (std::size_t j = N; j-- > 0;) {
        for (std::size_t l = j + 1; l < N; ++l) b[j] = b[j] - at(j, l) * b[l];
        b[j] = b[j] * at(j, j);
    }
}

} // namespace chainrule::batches
