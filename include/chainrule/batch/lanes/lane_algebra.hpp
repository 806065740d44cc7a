// SPDX-License-Identifier: BSL-1.0
//
// Small linear systems, one per lane: Gaussian elimination whose pivots are chosen in each lane by selection, and the
// Cholesky factorisation of symmetric matrices. Lanes do not influence one another.
#pragma once

#include <chainrule/batch/lanes/reductions.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>

namespace chainrule::batches {

template <class L>
[[gnu::always_inline]] inline L magnitude(const L& x) {
    if constexpr (lane_count<L> == 1)
        return x < L(0) ? -x : x;
    else
        return abs_at_once(x);
}
template <class Mask, class L>
[[gnu::always_inline]] inline void exchange_where(const Mask& mask, L& a, L& b) {
    const L first = a;
    a = select(mask, b, a);
    b = select(mask, first, b);
}

/// The rule of elimination in lanes: each chooses its pivots by selection.
template <std::size_t N, class L>
struct pivots_of_lanes {
    enum : std::size_t { unrolled = 128 };
    std::remove_cvref_t<decltype(std::declval<L>() != std::declval<L>())> singular = L(0) != L(0);

    template <class A, class B>
    [[gnu::always_inline]] bool choose(A& a, B& b, std::size_t k) {
        for (std::size_t i = k + 1; i < N; ++i) {
            const auto larger = magnitude(a(k, k)) < magnitude(a(i, k));
            for (std::size_t l = k; l < N; ++l) exchange_where(larger, a(k, l), a(i, l));
            exchange_where(larger, b(k, 0), b(i, 0));
        }
        singular = singular | !(magnitude(a(k, k)) > L(0));
        return true;
    }
    [[gnu::always_inline]] L quotient(const L& x, const L& pivot, std::size_t) const { return x / pivot; }
};

/// Solves J d = r by Gaussian elimination with the pivots of each lane: r becomes d. Returns in which lanes J is
/// singular; there d is of no use.
template <std::size_t N, class L>
[[gnu::always_inline]] inline auto eliminate(L (&j)[N][N], L (&r)[N]) {
    const auto a = [&](std::size_t i, std::size_t k) __attribute__((always_inline)) -> L& { return j[i][k]; };
    const auto b = [&](std::size_t i, std::size_t) __attribute__((always_inline)) -> L& { return r[i]; };
    pivots_of_lanes<N, L> rule;
    detail::triangulate<N, 1, N>(rule, a, b);
    detail::substitute_back<N, 1>(rule, a, b);
    return rule.singular;
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
