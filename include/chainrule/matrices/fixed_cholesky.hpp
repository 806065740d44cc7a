// SPDX-License-Identifier: BSL-1.0
//
// The Cholesky factor of a positive definite matrix of numbers, and what is computed with it.
#pragma once

#include <chainrule/matrices/fixed_systems.hpp>

namespace chainrule {

/// The Cholesky factorization A = L L^T of a symmetric positive definite matrix; pass it to solve, inverse, log_det and
/// determinant in place of A.
template <class T, std::size_t N>
struct cholesky_factor {
    /// L; zeros above the diagonal.
    fixed_matrix<T, N> lower;
    /// The reciprocals of its diagonal.
    fixed_vector<T, N> reciprocals;
};

/// Factors a symmetric positive definite matrix; reads its lower triangle only. If the matrix is not positive definite,
/// the factor has elements that are NaN or infinite.
template <class T, std::size_t Rows, std::size_t Columns>
[[nodiscard]] constexpr cholesky_factor<T, Rows> cholesky(const fixed_matrix<T, Rows, Columns>& a) {
    cholesky_factor<T, Rows> f;
    if constexpr (detail::is_square<Rows, Columns>()) {
        detail::for_each_index<Rows>([&](const auto index) __attribute__((always_inline)) {
            const std::size_t j = index;
            T square = a(j, j);
            for (std::size_t k = 0; k != j; ++k) square = square - f.lower(j, k) * f.lower(j, k);
            f.lower(j, j) = evaluation::sqrt(square);
            f.reciprocals[j] = T(1) / f.lower(j, j);
            for (std::size_t i = j + 1; i < Rows; ++i) {
                T sum = a(i, j);
                for (std::size_t k = 0; k != j; ++k) sum = sum - f.lower(i, k) * f.lower(j, k);
                f.lower(i, j) = sum * f.reciprocals[j];
            }
        });
    }
    return f;
}

template <class T = double>
constexpr T cholesky(...) {
    return detail::refused_as_matrix<T>();
}

template <class T, std::size_t N, class B>
[[nodiscard]] constexpr auto solve(const cholesky_factor<T, N>& f, const B& b) {
    if constexpr (detail::is_right_side<N, B>()) {
        constexpr std::size_t width = std::size_t{B::count} / N;
        detail::with_numbers_of<B, T> x(b);
        using number = typename decltype(x)::value_type;
        for (std::size_t c = 0; c < width; ++c) {
            detail::for_each_index<N>([&](const auto index) __attribute__((always_inline)) {
                const std::size_t i = index;
                number y = x.numbers[i * width + c];
                for (std::size_t k = 0; k != i; ++k) y = y - f.lower(i, k) * x.numbers[k * width + c];
                x.numbers[i * width + c] = y * f.reciprocals[i];
            });
            detail::for_each_index<N>([&](const auto index) __attribute__((always_inline)) {
                const std::size_t i = N - 1 - index;
                number y = x.numbers[i * width + c];
                for (std::size_t k = i + 1; k < N; ++k) y = y - f.lower(k, i) * x.numbers[k * width + c];
                x.numbers[i * width + c] = y * f.reciprocals[i];
            });
        }
        return x;
    }
}

template <class T, std::size_t N>
[[nodiscard]] constexpr fixed_matrix<T, N> inverse(const cholesky_factor<T, N>& f) {
    return solve(f, fixed_matrix<T, N>::identity());
}

/// log det A
template <class T, std::size_t N>
[[nodiscard]] constexpr T log_det(const cholesky_factor<T, N>& f) {
    T sum = evaluation::log(f.lower(0, 0));
    for (std::size_t i = 1; i < N; ++i) sum = sum + evaluation::log(f.lower(i, i));
    return T(2) * sum;
}

template <class T, std::size_t N>
[[nodiscard]] constexpr T determinant(const cholesky_factor<T, N>& f) {
    T product = f.lower(0, 0);
    for (std::size_t i = 1; i < N; ++i) product = product * f.lower(i, i);
    return product * product;
}

} // namespace chainrule
