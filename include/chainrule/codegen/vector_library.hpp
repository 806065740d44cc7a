// SPDX-License-Identifier: BSL-1.0
//
// The functions of glibc's libmvec, a vector library to which every program with libm is linked: their list, and
// declarations for the calls that kernels make together. They are declared here, since glibc declares them for the
// compiler's own use only. docs/batches.md has their errors and speed.
#pragma once

#include <chainrule/core/lanes.hpp>
#include <chainrule/functions/rows.hpp>

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(CHAINRULE_NO_LIBMVEC)
#if __GLIBC_PREREQ(2, 35)
#define CHAINRULE_HAS_LIBMVEC 1
#endif
#endif

/// The functions that libmvec has for lanes of one register: those of its first version, and those since glibc 2.35.
#define CHAINRULE_FIRST_FUNCTIONS_OF_LIBMVEC(UNARY, BINARY)                                                            \
    UNARY(exp)                                                                                                         \
    UNARY(log)                                                                                                         \
    BINARY(pow)                                                                                                        \
    UNARY(sin)                                                                                                         \
    UNARY(cos)
#define CHAINRULE_LATER_FUNCTIONS_OF_LIBMVEC(UNARY, BINARY)                                                            \
    UNARY(exp2)                                                                                                        \
    UNARY(exp10)                                                                                                       \
    UNARY(expm1)                                                                                                       \
    UNARY(log2)                                                                                                        \
    UNARY(log10)                                                                                                       \
    UNARY(log1p)                                                                                                       \
    UNARY(cbrt)                                                                                                        \
    BINARY(hypot)                                                                                                      \
    UNARY(tan)                                                                                                         \
    UNARY(asin)                                                                                                        \
    UNARY(acos)                                                                                                        \
    UNARY(atan)                                                                                                        \
    BINARY(atan2)                                                                                                      \
    UNARY(sinh)                                                                                                        \
    UNARY(cosh)                                                                                                        \
    UNARY(tanh)                                                                                                        \
    UNARY(asinh)                                                                                                       \
    UNARY(acosh)                                                                                                       \
    UNARY(atanh)                                                                                                       \
    UNARY(erf)                                                                                                         \
    UNARY(erfc)
#define CHAINRULE_FUNCTIONS_OF_LIBMVEC(UNARY, BINARY)                                                                  \
    CHAINRULE_FIRST_FUNCTIONS_OF_LIBMVEC(UNARY, BINARY)                                                                \
    CHAINRULE_LATER_FUNCTIONS_OF_LIBMVEC(UNARY, BINARY)

namespace chainrule::codegen {

/// The fewest calls of a function that take less time as one call of the vector library, or 0. Two of log and log2 take
/// as long (measured with AVX2: 6.0 ns and 6.3 ns; two of sin 17 ns and 5 ns, of erfc 17 ns and 8 ns, of exp 6 ns and 4
/// ns).
[[nodiscard]] constexpr int fewest_at_once([[maybe_unused]] unsigned position) {
#if defined(CHAINRULE_HAS_LIBMVEC)
    switch (const auto function = static_cast<functions::index>(position)) {
#define CHAINRULE_UNARY(NAME) case functions::index::NAME:
#define CHAINRULE_BINARY(NAME)
        CHAINRULE_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
        return function == functions::index::log || function == functions::index::log2 ? 3 : 2;
    default: break;
    }
#endif
    return 0;
}

/// The numbers of type T that a kernel passes to the vector library together, or 0.
template <class T>
inline constexpr int lanes_at_once = 0;
#if defined(CHAINRULE_HAS_LIBMVEC)
#if defined(__AVX__)
template <>
inline constexpr int lanes_at_once<double> = 4;
#else
template <>
inline constexpr int lanes_at_once<double> = 2;
#endif
template <>
inline constexpr int lanes_at_once<float> = 4;
#endif

} // namespace chainrule::codegen

#if defined(CHAINRULE_HAS_LIBMVEC)
namespace chainrule::codegen::libmvec {

#if defined(__AVX2__)
#define CHAINRULE_VARIANT "_ZGVdN4v_"
#elif defined(__AVX__)
#define CHAINRULE_VARIANT "_ZGVcN4v_"
#else
#define CHAINRULE_VARIANT "_ZGVbN2v_"
#endif
using doubles = simd::lanes<double, lanes_at_once<double>>;
using floats = simd::lanes<float, 4>;
#define CHAINRULE_UNARY(NAME)                                                                                          \
    [[gnu::const]] doubles NAME(doubles) noexcept __asm__(CHAINRULE_VARIANT #NAME);                                    \
    [[gnu::const]] floats NAME(floats) noexcept __asm__("_ZGVbN4v_" #NAME "f");
#define CHAINRULE_BINARY(NAME)
CHAINRULE_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_VARIANT
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY

} // namespace chainrule::codegen::libmvec
#endif
