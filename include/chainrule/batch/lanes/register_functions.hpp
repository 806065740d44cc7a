// SPDX-License-Identifier: BSL-1.0
//
// Functions that processors have as instructions, for the compiler's vectors: square root, fused multiplication and
// addition, rounding to integers. Without such an instruction they are computed lane by lane. g++ has no function for
// vectors of every kind, so the builtins behind the intrinsics are named here: including <immintrin.h> would take
// longer than all else in this room.
#pragma once

#include <chainrule/batch/lanes/vector_number.hpp>
#include <chainrule/functions/rows.hpp>

namespace chainrule::batches {

/// compute(x[i], ...) in each lane.
template <class Compute, class Register, class... Rest>
[[gnu::always_inline]] inline Register each_lane(const Compute& compute, const Register& x, const Rest&... rest) {
    Register result = x; // g++ 12 does not see that each lane is written
    for (std::size_t i = 0; i < sizeof x / sizeof x[0]; ++i) result[i] = compute(x[i], rest[i]...);
    return result;
}

/// The mask of an instruction for all of so many lanes; the compilers differ in the sign of its type.
#if defined(__clang__)
template <int Count>
inline constexpr int every_lane = (1 << Count) - 1;
#else
template <int Count>
inline constexpr int every_lane = -1;
#endif

/// Directions of rounding, as the instructions have them: without an exception for inexact results.
enum rounding : int { to_nearest = 8, down = 9, up = 10, to_zero = 11 };

#if __has_builtin(__builtin_elementwise_sqrt)
template <class Register>
[[gnu::always_inline]] inline Register square_root(const Register& x) {
    return __builtin_elementwise_sqrt(x);
}
#else
template <class Register>
[[gnu::always_inline]] inline Register square_root(const Register& x) {
    return each_lane([](auto a) { return evaluation::sqrt(a); }, x);
}
#define CHAINRULE_SQUARE_ROOT(T, COUNT, ...)                                                                           \
    [[gnu::always_inline]] inline simd::lanes<T, COUNT> square_root(const simd::lanes<T, COUNT>& x) {                  \
        return __VA_ARGS__;                                                                                            \
    }
#if defined(__AVX512F__) && defined(__clang__)
CHAINRULE_SQUARE_ROOT(double, 8, __builtin_ia32_sqrtpd512(x, 4))
CHAINRULE_SQUARE_ROOT(float, 16, __builtin_ia32_sqrtps512(x, 4))
#elif defined(__AVX512F__)
CHAINRULE_SQUARE_ROOT(double, 8, __builtin_ia32_sqrtpd512_mask(x, x, every_lane<8>, 4))
CHAINRULE_SQUARE_ROOT(float, 16, __builtin_ia32_sqrtps512_mask(x, x, every_lane<16>, 4))
#endif
#if defined(__AVX__)
CHAINRULE_SQUARE_ROOT(double, 4, __builtin_ia32_sqrtpd256(x))
CHAINRULE_SQUARE_ROOT(float, 8, __builtin_ia32_sqrtps256(x))
#endif
#if defined(__SSE2__)
CHAINRULE_SQUARE_ROOT(double, 2, __builtin_ia32_sqrtpd(x))
CHAINRULE_SQUARE_ROOT(float, 4, __builtin_ia32_sqrtps(x))
#endif
#undef CHAINRULE_SQUARE_ROOT
#endif

#if __has_builtin(__builtin_elementwise_trunc) && __has_builtin(__builtin_elementwise_roundeven)
template <rounding Direction, class Register>
[[gnu::always_inline]] inline Register rounded(const Register& x) {
    if constexpr (Direction == to_nearest)
        return __builtin_elementwise_roundeven(x);
    else if constexpr (Direction == down)
        return __builtin_elementwise_floor(x);
    else if constexpr (Direction == up)
        return __builtin_elementwise_ceil(x);
    else
        return __builtin_elementwise_trunc(x);
}
#else
template <rounding Direction, class Register>
[[gnu::always_inline]] inline Register rounded(const Register& x) {
    return each_lane(
        [](auto a) {
            if constexpr (Direction == to_nearest)
                return evaluation::rint(a);
            else if constexpr (Direction == down)
                return evaluation::floor(a);
            else if constexpr (Direction == up)
                return evaluation::ceil(a);
            else
                return evaluation::trunc(a);
        },
        x);
}
#define CHAINRULE_ROUNDED(T, COUNT, ...)                                                                               \
    template <rounding Direction>                                                                                      \
    [[gnu::always_inline]] inline simd::lanes<T, COUNT> rounded(const simd::lanes<T, COUNT>& x) {                      \
        return __VA_ARGS__;                                                                                            \
    }
#if defined(__AVX512F__)
CHAINRULE_ROUNDED(double, 8, __builtin_ia32_rndscalepd_mask(x, Direction, x, every_lane<8>, 4))
CHAINRULE_ROUNDED(float, 16, __builtin_ia32_rndscaleps_mask(x, Direction, x, every_lane<16>, 4))
#endif
#if defined(__AVX__)
CHAINRULE_ROUNDED(double, 4, __builtin_ia32_roundpd256(x, Direction))
CHAINRULE_ROUNDED(float, 8, __builtin_ia32_roundps256(x, Direction))
#endif
#if defined(__SSE4_1__)
CHAINRULE_ROUNDED(double, 2, __builtin_ia32_roundpd(x, Direction))
CHAINRULE_ROUNDED(float, 4, __builtin_ia32_roundps(x, Direction))
#endif
#undef CHAINRULE_ROUNDED
#endif

#if __has_builtin(__builtin_elementwise_fma)
template <class Register>
[[gnu::always_inline]] inline Register fused(const Register& x, const Register& y, const Register& z) {
    return __builtin_elementwise_fma(x, y, z);
}
#else
template <class Register>
[[gnu::always_inline]] inline Register fused(const Register& x, const Register& y, const Register& z) {
    return each_lane([](auto a, auto b, auto c) { return evaluation::fma(a, b, c); }, x, y, z);
}
#define CHAINRULE_FUSED(T, COUNT, ...)                                                                                 \
    [[gnu::always_inline]] inline simd::lanes<T, COUNT> fused(                                                         \
        const simd::lanes<T, COUNT>& x, const simd::lanes<T, COUNT>& y, const simd::lanes<T, COUNT>& z) {              \
        return __VA_ARGS__;                                                                                            \
    }
#if defined(__AVX512F__)
CHAINRULE_FUSED(double, 8, __builtin_ia32_vfmaddpd512_mask(x, y, z, every_lane<8>, 4))
CHAINRULE_FUSED(float, 16, __builtin_ia32_vfmaddps512_mask(x, y, z, every_lane<16>, 4))
#endif
#if defined(__FMA__)
CHAINRULE_FUSED(double, 4, __builtin_ia32_vfmaddpd256(x, y, z))
CHAINRULE_FUSED(float, 8, __builtin_ia32_vfmaddps256(x, y, z))
CHAINRULE_FUSED(double, 2, __builtin_ia32_vfmaddpd(x, y, z))
CHAINRULE_FUSED(float, 4, __builtin_ia32_vfmaddps(x, y, z))
#endif
#undef CHAINRULE_FUSED
#endif

} // namespace chainrule::batches
