// SPDX-License-Identifier: BSL-1.0
//
// The linear algebra of a Newton step: the plain values of numbers that carry derivatives, and the solution of a linear
// system of such numbers.
#pragma once

#include <chainrule/expression/node.hpp>

#include <array>
#include <cstddef>
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
    return x < T(0) ? -x : x;
}
template <class T>
[[nodiscard]] constexpr bool is_finite(const T& x) {
    return x - x == T(0);
}

// Solves J d = r by Gaussian elimination with pivots chosen by plain value; returns false if J is singular.
template <class T, std::size_t N>
[[nodiscard]] constexpr bool eliminate(std::array<std::array<T, N>, N>& j, std::array<T, N>& r) {
    const auto size = [](const T& x) { return magnitude_of(carried<T>::value(x)); };
    for (std::size_t k = 0; k < N; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < N; ++i)
            if (size(j[pivot][k]) < size(j[i][k])) pivot = i;
        if (!(size(j[pivot][k]) > 0)) return false;
        if (pivot != k) {
            std::swap(j[pivot], j[k]);
            std::swap(r[pivot], r[k]);
        }
        for (std::size_t i = k + 1; i < N; ++i) {
            const T factor = j[i][k] / j[k][k];
            for (std::size_t l = k + 1; l < N; ++l) j[i][l] = j[i][l] - factor * j[k][l];
            r[i] = r[i] - factor * r[k];
        }
    }
    for (std::size_t k = N; k-- > 0;) {
        for (std::size_t l = k + 1; l < N; ++l) r[k] = r[k] - j[k][l] * r[l];
        r[k] = r[k] / j[k][k];
    }
    return true;
}

} // namespace chainrule::detail
