// SPDX-License-Identifier: BSL-1.0
//
// Operations on vector registers that matrix products need, in addition to chainrule/core/lanes.hpp.
#pragma once

#include <chainrule/core/lanes.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace chainrule::tensor::kernels {

using simd::lanes;
using simd::load;
using simd::native_lanes;
using simd::register_bytes;
using simd::store;

/// A vector with the number in every lane.
template <std::size_t Lanes, class T>
[[gnu::always_inline]] inline lanes<T, Lanes> broadcast(const T& x) {
    return x - lanes<T, Lanes>{};
}

/// Keeps a vector in its register and operations on it in order: g++ 12 would read operands from memory for each use,
/// and interleave unrolled steps until it runs out of registers.
template <class Vector>
[[gnu::always_inline]] inline void keep_in_register([[maybe_unused]] Vector& v) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
    if constexpr (sizeof(Vector) >= 16) __asm__ volatile("" : "+v"(v));
#endif
}

/// The square root of each lane.
template <class T, class Vector>
[[gnu::always_inline]] inline Vector square_root(Vector v) {
    constexpr std::size_t lanes_in_v = sizeof(Vector) / sizeof(T);
#if __has_builtin(__builtin_elementwise_sqrt)
    return __builtin_elementwise_sqrt(v);
#elif defined(__SSE2__) // g++ 12 and clang 16 have no builtin for vectors of any kind
    if constexpr (sizeof(Vector) > (register_bytes < 32 ? 16 : 32)) {
        lanes<T, lanes_in_v / 2> halves[2];
        std::memcpy(halves, &v, sizeof v);
        for (auto& half : halves) half = square_root<T>(half);
        std::memcpy(&v, halves, sizeof v);
        return v;
    }
#if defined(__AVX__)
    else if constexpr (sizeof(Vector) == 32) {
        if constexpr (sizeof(T) == 4)
            return __builtin_ia32_sqrtps256(v);
        else
            return __builtin_ia32_sqrtpd256(v);
    }
#endif
    else if constexpr (sizeof(Vector) == 16) {
        if constexpr (sizeof(T) == 4)
            return __builtin_ia32_sqrtps(v);
        else
            return __builtin_ia32_sqrtpd(v);
    } else
#endif
    {
        for (std::size_t i = 0; i < lanes_in_v; ++i) v[i] = std::sqrt(v[i]);
        return v;
    }
}

/// Calls f(0), ..., f(N - 1) with constant arguments, unrolled at every optimisation level.
template <std::size_t N, class F>
[[gnu::always_inline]] inline void unrolled(const F& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        (f(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<N>{});
}

/// Transposes the square matrix whose rows are the vectors, by swapping off-diagonal blocks of 1, 2, 4, ... lanes.
template <std::size_t Lanes, std::size_t Size = 1, class Vector>
[[gnu::always_inline]] inline void transpose(Vector (&rows)[Lanes]) {
    if constexpr (Size < Lanes) {
        unrolled<Lanes>([&](auto r) __attribute__((always_inline)) {
            if constexpr ((r() & Size) == 0)
                [&]<std::size_t... J>(std::index_sequence<J...>) __attribute__((always_inline)) {
                    const Vector a = rows[r()], b = rows[r() + Size];
                    rows[r()] = CHAINRULE_LANES_OF(a, b, (J & Size ? Lanes + J - Size : J)...);
                    rows[r() + Size] = CHAINRULE_LANES_OF(a, b, (J & Size ? Lanes + J : J + Size)...);
                }(std::make_index_sequence<Lanes>{});
        });
        transpose<Lanes, 2 * Size>(rows);
    }
}

/// The sum of all lanes, by adding halves.
template <std::size_t Lanes, class T>
[[gnu::always_inline]] inline T sum_of_lanes(const lanes<T, Lanes>& v) {
    if constexpr (Lanes == 1) {
        return v[0];
    } else {
        lanes<T, Lanes / 2> halves[2];
        std::memcpy(halves, &v, sizeof v);
        return sum_of_lanes<Lanes / 2, T>(halves[0] + halves[1]);
    }
}

} // namespace chainrule::tensor::kernels
