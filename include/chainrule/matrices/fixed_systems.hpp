// SPDX-License-Identifier: BSL-1.0
//
// Traces, determinants, inverses and linear systems of matrices of numbers: by minors up to 4 x 4, by elimination
// beyond.
#pragma once

#include <chainrule/matrices/fixed_inverse.hpp>
#include <chainrule/matrices/fixed_matrix.hpp>
#include <chainrule/matrices/fixed_pivots.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>

namespace chainrule {

namespace detail {

/// step(0), step(1), ... step(Count - 1), as constants of small matrices.
template <std::size_t Count, class Step>
[[gnu::always_inline]] constexpr void for_each_index(const Step& step) {
    core::for_each_index<Count, 8>(step);
}

/// Solves a x = b in place: b becomes x.
template <class T, std::size_t N, std::size_t Width>
[[gnu::always_inline]] constexpr void solve_by_elimination(fixed_matrix<T, N>& a, fixed_matrix<T, N, Width>& b) {
    reciprocal_pivots<T, N> rule;
    triangulate<N, Width, N>(rule, a, b);
    substitute_back<N, Width>(rule, a, b);
}
/// Gauss-Jordan elimination in place.
template <class T, std::size_t N>
constexpr fixed_matrix<T, N> inverse_by_elimination(fixed_matrix<T, N> a) {
    std::size_t pivots[N] = {};
    for (std::size_t k = 0; k < N; ++k) {
        pivots[k] = largest_pivot<N>(a, k);
        if (pivots[k] != k) exchange_rows(a, pivots[k], k, 0, N);
        const T scale = T(1) / a(k, k);
        a(k, k) = T(1);
        for (std::size_t j = 0; j < N; ++j) a(k, j) = a(k, j) * scale;
        for (std::size_t i = 0; i < N; ++i) {
            if (i == k) continue;
            const T factor = a(i, k);
            a(i, k) = T(0);
            for (std::size_t j = 0; j < N; ++j) a(i, j) = a(i, j) - factor * a(k, j);
        }
    }
    for (std::size_t k = N; k-- > 0;)
        if (pivots[k] != k)
            for (std::size_t i = 0; i < N; ++i) {
                const T held = a(i, k);
                a(i, k) = a(i, pivots[k]);
                a(i, pivots[k]) = held;
            }
    return a;
}

template <class A, class T>
using with_numbers_of = typename A::template with_number<typename number_of_both<T, typename A::value_type>::type>;

/// Checks the right-hand side of a linear system of N equations.
template <std::size_t N, class B>
consteval bool is_right_side() {
    constexpr bool array = holds_numbers<B>;
    static_assert(array, "solve: the right-hand side is not a fixed_vector or fixed_matrix; pass one with as many rows "
                         "as the matrix");
    if constexpr (array) {
        constexpr std::size_t width = std::size_t{B::columns} == 0 ? 1 : std::size_t{B::columns};
        constexpr bool fit = std::size_t{B::count} == N * width;
        static_assert(
            fit, "solve: the right-hand side does not have one row or element per row of the matrix; pass that many");
        return fit;
    }
    return false;
}

template <std::size_t Rows, std::size_t Columns>
consteval bool is_square() {
    constexpr bool square = Rows == Columns;
    static_assert(square, "determinant, inverse, solve, cholesky, log_det, trace: the matrix is not square; pass a "
                          "square one");
    return square;
}

} // namespace detail

/// The sum of the diagonal.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T trace(const fixed_matrix<T, Rows, Columns>& a) {
    T sum = a(0, 0);
    if constexpr (detail::is_square<Rows, Columns>())
        for (std::size_t i = 1; i < Rows; ++i) sum = sum + a(i, i);
    return sum;
}

/// The determinant: up to 4 x 4 by minors, without a division; of larger matrices by elimination, as for inverse(). Of
/// a singular matrix it is 0 up to rounding, and its derivatives are the cofactors: finite, also those of higher order,
/// except for numbers without pivoting: those of traced code, and lanes.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard, gnu::always_inline]] constexpr T determinant(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (!detail::is_square<Rows, Columns>()) {
        return T();
    } else if constexpr (Rows <= 4) {
        return static_cast<T>(detail::small_determinant<Rows>(a));
    } else {
        fixed_matrix<T, Rows> u = a;
        const auto [count, odd] = detail::triangulate(u);
        T product = u(0, 0);
        for (std::size_t k = 1; k < count; ++k) {
            if constexpr (std::is_floating_point_v<T>)
                if (product == 0) return product; // below an exact 0 there are NaNs
            product = product * u(k, k);
        }
        return odd ? T(-product) : product;
    }
}

/// log |det A|. Beyond 4 x 4 it does not overflow where the determinant would. It is minus infinity where the
/// determinant is 0, and has no finite derivatives there.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr T log_det(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (!detail::is_square<Rows, Columns>()) {
        return T();
    } else if constexpr (Rows <= 4) {
        return evaluation::log(evaluation::abs(determinant(a)));
    } else {
        fixed_matrix<T, Rows> u = a;
        const std::size_t count = detail::triangulate(u).count;
        T sum = evaluation::log(evaluation::abs(u(0, 0)));
        for (std::size_t k = 1; k < count; ++k) {
            if constexpr (std::is_floating_point_v<T>)
                if (u(k - 1, k - 1) == 0) return sum; // as in determinant()
            sum = sum + evaluation::log(evaluation::abs(u(k, k)));
        }
        return sum;
    }
}

// As of the functions in matrices/matrix.hpp.
template <class T = double>
constexpr T log_det(...) {
    return detail::refused_as_matrix<T>();
}
template <class T, std::size_t Size>
constexpr T inverse(const fixed_vector<T, Size>&) {
    return detail::refused_as_matrix<T>();
}

/// The transposed matrix of cofactors of a matrix up to 4 x 4: its product with the matrix is the determinant times the
/// identity.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard, gnu::always_inline]] constexpr fixed_matrix<T, Rows> adjugate(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (detail::is_small_square(std::type_identity<fixed_matrix<T, Rows, Columns>>{}))
        return detail::small_adjugate<Rows>(a);
    else
        return {};
}

/// The inverse: up to 4 x 4 the adjugate times 1 / determinant; of larger matrices by Gauss-Jordan elimination, with
/// the largest element of a column as the pivot where comparing numbers gives a bool, and without exchanges of rows
/// where it does not: for numbers of traced code and lanes. It is not finite if the matrix is singular.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr fixed_matrix<T, Rows, Columns> inverse(const fixed_matrix<T, Rows, Columns>& a) {
    if constexpr (!detail::is_square<Rows, Columns>()) {
        return a;
    } else if constexpr (Rows <= 4) {
        if constexpr (detail::inverts_in_lanes<T, Rows>) {
            if (!std::is_constant_evaluated()) {
                fixed_matrix<T, Rows, Columns> r;
                if constexpr (Rows == 3)
                    detail::inverse_of_three_rows(a.numbers, r.numbers);
                else
                    detail::inverse_in_lanes(a.numbers, r.numbers);
                return r;
            }
        }
        return T(T(1) / determinant(a)) * adjugate(a);
    } else {
        return detail::inverse_by_elimination(a);
    }
}

/// The solution x of A x = b for a vector or matrix b: up to 4 x 4 the adjugate times b, times 1 / determinant; for
/// larger matrices by elimination, as for inverse().
template <class T, std::size_t Rows, std::size_t Columns, class B>
[[nodiscard]] constexpr auto solve(const fixed_matrix<T, Rows, Columns>& a, const B& b) {
    if constexpr (detail::is_square<Rows, Columns>() && detail::is_right_side<Rows, B>()) {
        using result = detail::with_numbers_of<B, T>;
        using number = typename result::value_type;
        if constexpr (Rows <= 4) {
            return result(T(T(1) / determinant(a)) * (adjugate(a) * b));
        } else {
            constexpr std::size_t width = std::size_t{B::count} / Rows;
            fixed_matrix<number, Rows, width> right;
            for (std::size_t i = 0; i < Rows * width; ++i) right.numbers[i] = static_cast<number>(b.numbers[i]);
            fixed_matrix<number, Rows> left(a);
            detail::solve_by_elimination(left, right);
            result r;
            for (std::size_t i = 0; i < Rows * width; ++i) r.numbers[i] = right.numbers[i];
            return r;
        }
    }
}

} // namespace chainrule
