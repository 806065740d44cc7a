// SPDX-License-Identifier: BSL-1.0
//
// The pivots of elimination in matrices of numbers (matrices/fixed_systems.hpp), and the factors of determinants. Those
// of numbers that carry derivatives may be zero.
#pragma once

#include <chainrule/matrices/division_free.hpp>
#include <chainrule/matrices/fixed_matrix.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>

#include <limits>

namespace chainrule::detail {

/// The rule of elimination in matrices: the reciprocals of pivots, so that there is one division per row.
template <class T, std::size_t N>
struct reciprocal_pivots {
    enum : std::size_t { unrolled = 8 };
    fixed_vector<T, N> reciprocals;
    bool odd = false; // whether the sign of the determinant changed

    template <class A, class B>
    [[gnu::always_inline]] constexpr bool choose(A& a, B& b, std::size_t k) {
        const std::size_t pivot = largest_pivot<N>(a, k);
        if (pivot != k) {
            exchange_rows(a, pivot, k, k, N);
            if constexpr (requires { b.numbers; }) exchange_rows(b, pivot, k, 0, std::size_t{B::columns});
            odd = !odd;
        }
        reciprocals[k] = T(1) / a(k, k);
        return true;
    }
    [[gnu::always_inline]] constexpr T quotient(const T& x, const T&, std::size_t k) const {
        return x * reciprocals[k];
    }
};
/// The same for numbers that carry derivatives, which are right only if nothing is divided by zero. Where a column has
/// no pivot, another column takes its place; where none has one, the steps end.
template <class T, std::size_t N>
struct nonzero_pivots : reciprocal_pivots<T, N> {
    using plain = typename carried<T>::plain;
    // Second and higher derivatives are wrong too if the pivot is what rounding left of zero, since they divide by it
    // several times: it is small against the numbers that it was summed from.
    enum : bool { notes_terms = carried<T>::depth > 1 };

    std::size_t count = N; // of the steps with a pivot, and of the last, which divides nothing

    template <class A, class B>
    [[gnu::always_inline]] constexpr bool choose(A& a, B& b, std::size_t k) {
        if (count < k) return false;
        if constexpr (notes_terms) note_terms(a, k);
        if (!has_pivot(a, k, k) && !takes_other_column(a, k)) [[unlikely]] {
            count = k;
            return false;
        }
        if constexpr (notes_terms)
            if (const std::size_t pivot = largest_pivot<N>(a, k); pivot != k) exchange_rows(largest_, pivot, k, k, N);
        return reciprocal_pivots<T, N>::choose(a, b, k);
    }

private:
    static constexpr plain size_of(const T& x) { return detail::magnitude_of(plain(carried<T>::value(x))); }

    template <class A>
    constexpr bool has_pivot(const A& a, std::size_t k, std::size_t column) const {
        for (std::size_t i = k; i < N; ++i) {
            plain rounding = plain(0);
            if constexpr (notes_terms)
                rounding = plain(8 * N) * std::numeric_limits<plain>::epsilon() * largest_(i, column);
            if (size_of(a(i, column)) > rounding) return true;
        }
        return false;
    }
    // Of each element from (k, k) on, the largest number that it is the sum of; the last was subtracted in step k - 1.
    template <class A>
    constexpr void note_terms(const A& a, std::size_t k) {
        for (std::size_t i = k; i < N; ++i)
            for (std::size_t j = k; j < N; ++j) {
                const plain term =
                    k == 0 ? size_of(a(i, j))
                           : size_of(a(i, k - 1)) * size_of(this->reciprocals[k - 1]) * size_of(a(k - 1, j));
                if (largest_(i, j) < term) largest_(i, j) = term;
            }
    }
    template <class A>
    [[gnu::cold]] constexpr bool takes_other_column(A& a, std::size_t k) {
        std::size_t column = k + 1;
        while (column < N && !has_pivot(a, k, column)) ++column;
        if (column == N) return false;
        exchange_columns(a, k, column);
        if constexpr (notes_terms) exchange_columns(largest_, k, column);
        this->odd = !this->odd;
        return true;
    }
    template <class A>
    static constexpr void exchange_columns(A& a, std::size_t k, std::size_t column) {
        for (std::size_t i = k; i < N; ++i) {
            const auto held = a(i, k);
            a(i, k) = a(i, column);
            a(i, column) = held;
        }
    }
    struct none {};
    [[no_unique_address]] std::conditional_t<bool(notes_terms), fixed_matrix<plain, N>, none> largest_{};
};
template <class T>
inline constexpr bool needs_nonzero_pivots = !std::is_floating_point_v<T> && is_comparable<typename carried<T>::plain>;

/// The determinant is the product of the first `count` elements of the diagonal, negated if `odd`.
struct factors_of_determinant {
    std::size_t count;
    bool odd;
};
/// Makes u upper triangular, with the determinant of what has no pivots in place of its first element.
template <class T, std::size_t N>
[[gnu::always_inline]] constexpr factors_of_determinant triangulate(fixed_matrix<T, N>& u) {
    struct {
    } no_right_sides;
    std::conditional_t<needs_nonzero_pivots<T>, nonzero_pivots<T, N>, reciprocal_pivots<T, N>> rule;
    triangulate<N, 0, N - 1>(rule, u, no_right_sides); // without the reciprocal of the last pivot
    if constexpr (needs_nonzero_pivots<T>)
        if (rule.count < N) {
            u(rule.count, rule.count) = determinant_without_division(u, rule.count, N);
            return {rule.count + 1, rule.odd};
        }
    return {N, rule.odd};
}

} // namespace chainrule::detail
