// SPDX-License-Identifier: BSL-1.0
//
// SIMD vectors, based on the compiler's vector types. These exist for every processor: without vector registers the
// compiler emits scalar code. Dual numbers (dual.hpp) and matrix products (tensor/kernels/lanes.hpp) use them.
#pragma once

#include <cstddef>
#include <cstring>

namespace chainrule::simd {

/// Bytes of a vector register for the given -march: 64 (AVX-512), 32 (AVX) or 16.
#if defined(__AVX512F__)
inline constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif

/// Numbers of type T in one vector register.
template <class T>
inline constexpr std::size_t native_lanes = register_bytes / sizeof(T);

template <class T, std::size_t Lanes>
struct lanes_of {
    typedef T type [[gnu::vector_size(Lanes * sizeof(T))]];
};

/// A vector of numbers, with the arithmetic operators lane by lane.
template <class T, std::size_t Lanes = native_lanes<T>>
using lanes = typename lanes_of<T, Lanes>::type;

/// The vector of these lanes of a or, from the number of lanes on, of b. g++ 11 has an older way of writing it.
#if defined(__clang__) || __GNUC__ >= 12
#define CHAINRULE_LANES_OF(A, B, ...) __builtin_shufflevector(A, B, __VA_ARGS__)
#else
#define CHAINRULE_LANES_OF(A, B, ...) __builtin_shuffle(A, B, decltype((A) == (B)){__VA_ARGS__})
#endif

/// Loads lanes from memory of any alignment.
template <std::size_t Lanes, class T>
[[gnu::always_inline]] inline lanes<T, Lanes> load(const T* from) {
    lanes<T, Lanes> v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

/// Stores lanes to memory of any alignment.
template <class T, class Vector>
[[gnu::always_inline]] inline void store(T* to, const Vector& v) {
    std::memcpy(to, &v, sizeof v);
}

/// `then` in the lanes where `of` is not zero, and zero in the others. Takes numbers, too.
template <class V>
[[gnu::always_inline]] inline V where_not_zero(const V& of, const V& then) {
    return of != 0 ? then : V{};
}
/// Whether that takes one instruction more than computing `then`. (With clang, it gains nothing.)
#if defined(__AVX512VL__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
inline constexpr bool has_masks = true;
// g++ would branch for a number.
[[gnu::always_inline]] inline double where_not_zero(double of, double then) {
    return where_not_zero(lanes<double, 2>{of}, lanes<double, 2>{then})[0];
}
[[gnu::always_inline]] inline float where_not_zero(float of, float then) {
    return where_not_zero(lanes<float, 4>{of}, lanes<float, 4>{then})[0];
}
#else
inline constexpr bool has_masks = false;
#endif

/// to[k] = compute(from[k]...) for k < Count, with the widest registers that the remaining elements fill. `compute`
/// takes numbers and vectors.
template <class T, std::size_t Count, std::size_t Lanes = native_lanes<T>, class Compute, class... From>
[[gnu::always_inline]] inline void transform(T* to, const Compute& compute, const From*... from) {
    if constexpr (Count == 0) {
        return;
    } else if constexpr (Lanes < 2) {
        *to = compute(*from...);
        transform<T, Count - 1, 1>(to + 1, compute, (from + 1)...);
    } else if constexpr (Count < Lanes) {
        transform<T, Count, Lanes / 2>(to, compute, from...);
    } else {
        store(to, compute(load<Lanes>(from)...));
        transform<T, Count - Lanes, Lanes>(to + Lanes, compute, (from + Lanes)...);
    }
}

/// Where numbers lie, if they lie in order there. (A null pointer for numbers that do not would mean that compilers ask
/// whether those of a range may be null, and g++ warns of what would be read then.)
template <class T>
struct stretch {
    T* first;
    bool is_in_order = true;
};

} // namespace chainrule::simd
