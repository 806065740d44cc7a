// SPDX-License-Identifier: BSL-1.0
//
// Gaussian elimination of matrices of numbers, with a rule that chooses the pivots and divides by them, and the rule of
// Newton steps. The rule of fixed_matrix is in fixed_systems.hpp, that of SIMD lanes in batch/lanes/lane_algebra.hpp.
#pragma once

#include <chainrule/core/for_each_index.hpp>
#include <chainrule/expression/node.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace chainrule::detail {

// The nesting depth of derivatives: 1 for a dual or active number, 2 for a dual of duals. And the plain number.
template <class T>
struct carried {
    using plain = T;
    static constexpr int depth = 0;
    static constexpr const T& value(const T& number) { return number; }
};
template <class T>
requires is_active<T>
struct carried<T> {
    using inner = typename T::plain_number;
    using plain = typename carried<inner>::plain;
    static constexpr int depth = 1 + carried<inner>::depth;
    static constexpr plain value(const T& number) { return carried<inner>::value(number.value()); }
};
template <class T>
requires requires {
    std::declval<const T&>().value;
    std::declval<const T&>().tangents;
}
struct carried<T> {
    using inner = std::remove_cvref_t<decltype(std::declval<const T&>().value)>;
    using plain = typename carried<inner>::plain;
    static constexpr int depth = 1 + carried<inner>::depth;
    static constexpr plain value(const T& number) { return carried<inner>::value(number.value); }
};

template <class T>
[[nodiscard]] constexpr T magnitude_of(const T& x) {
    if constexpr (std::is_floating_point_v<T>)
        return evaluation::abs(x);
    else
        return x < T(0) ? -x : x;
}

/// Makes a matrix with N rows, the elements a(i, j), upper triangular in `Steps` steps, and transforms the right-hand
/// sides with it: the elements b(i, c), c < Width. A rule has
///   unrolled: up to how many steps the index of a step is a constant;
///   choose(a, b, k): brings the pivot of step k to (k, k), together with its row;
///   quotient(x, pivot, k): x divided by the pivot of step k.
template <std::size_t N, std::size_t Width, std::size_t Steps, class Rule, class A, class B>
[[gnu::always_inline]] constexpr void triangulate(Rule& rule, A& a, B& b) {
    core::for_each_index<Steps, std::size_t{Rule::unrolled}>([&](const auto index) __attribute__((always_inline)) {
        const std::size_t k = index;
        if (!rule.choose(a, b, k)) return;
        for (std::size_t i = k + 1; i < N; ++i) {
            const std::remove_cvref_t<decltype(a(i, k))> factor = rule.quotient(a(i, k), a(k, k), k);
            for (std::size_t j = k + 1; j < N; ++j) a(i, j) = a(i, j) - factor * a(k, j);
            if constexpr (Width > 0)
                for (std::size_t c = 0; c < Width; ++c) b(i, c) = b(i, c) - factor * b(k, c);
        }
    });
}
/// Solves the upper triangular system that triangulate() leaves: b becomes the solution.
template <std::size_t N, std::size_t Width, class Rule, class A, class B>
[[gnu::always_inline]] constexpr void substitute_back(Rule& rule, A& a, B& b) {
    core::for_each_index<N, std::size_t{Rule::unrolled}>([&](const auto index) __attribute__((always_inline)) {
        const std::size_t k = N - 1 - index;
        for (std::size_t c = 0; c < Width; ++c) {
            auto sum = b(k, c);
            for (std::size_t i = k + 1; i < N; ++i) sum = sum - a(k, i) * b(i, c);
            b(k, c) = rule.quotient(sum, a(k, k), k);
        }
    });
}

// Whether comparing numbers of type T gives a bool, so that a pivot can be chosen.
template <class T>
concept is_comparable = requires(const T& x) {
    { x < x } -> std::same_as<bool>;
};

/// The row of the largest element of column k from row k on, by plain values; k where comparing these gives no bool.
template <std::size_t N, class A>
[[gnu::always_inline]] constexpr std::size_t largest_pivot(const A& a, std::size_t k) {
    using number = carried<std::remove_cvref_t<decltype(a(k, k))>>;
    std::size_t pivot = k;
    if constexpr (is_comparable<typename number::plain>) {
        auto largest = detail::magnitude_of(number::value(a(k, k)));
        for (std::size_t i = k + 1; i < N; ++i) {
            const auto size = detail::magnitude_of(number::value(a(i, k)));
            if (largest < size) {
                largest = size;
                pivot = i;
            }
        }
    }
    return pivot;
}
/// Exchanges the elements of two rows from column `first` up to column `end`.
template <class A>
[[gnu::always_inline]] constexpr void exchange_rows(A& a, std::size_t i, std::size_t k, std::size_t first,
                                                    std::size_t end) {
    for (std::size_t j = first; j < end; ++j) {
        const auto held = a(i, j);
        a(i, j) = a(k, j);
        a(k, j) = held;
    }
}

/// The rule of Newton steps: a matrix without a pivot is singular, and nothing is divided by zero.
template <std::size_t N>
struct checked_pivots {
    enum : std::size_t { unrolled = 0 };
    bool singular = false;

    template <class A, class B>
    constexpr bool choose(A& a, B& b, std::size_t k) {
        using number = carried<std::remove_cvref_t<decltype(a(k, k))>>;
        const std::size_t pivot = largest_pivot<N>(a, k);
        singular = singular || !(detail::magnitude_of(number::value(a(pivot, k))) > 0);
        if (!singular && pivot != k) {
            exchange_rows(a, pivot, k, k, N);
            exchange_rows(b, pivot, k, 0, 1);
        }
        return !singular;
    }
    template <class T>
    constexpr T quotient(const T& x, const T& pivot, std::size_t) const {
        return x / pivot;
    }
};

/// Solves J d = r: r becomes d. Returns false if J is singular.
template <class T, std::size_t N>
[[nodiscard]] constexpr bool eliminate(std::array<std::array<T, N>, N>& j, std::array<T, N>& r) {
    const auto a = [&](std::size_t i, std::size_t k) -> T& { return j[i][k]; };
    const auto b = [&](std::size_t i, std::size_t) -> T& { return r[i]; };
    checked_pivots<N> rule;
    triangulate<N, 1, N>(rule, a, b);
    if (!rule.singular) substitute_back<N, 1>(rule, a, b);
    return !rule.singular;
}

} // namespace chainrule::detail
