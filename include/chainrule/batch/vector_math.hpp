// SPDX-License-Identifier: BSL-1.0
//
// The vector functions of glibc's libmvec, which every program with libm is linked to. Declared here, since glibc
// declares them for the compiler's own use only. docs/batches.md has their errors and speed.
#pragma once

#include <chainrule/batch/vector_number.hpp>

#if defined(__GLIBC__) && defined(__x86_64__) && !defined(CHAINRULE_NO_LIBMVEC)
#if __GLIBC_PREREQ(2, 35)
#define CHAINRULE_HAS_LIBMVEC 1
#endif
#endif

/// The functions that libmvec has for lanes of one register.
#define CHAINRULE_FUNCTIONS_OF_LIBMVEC(UNARY, BINARY)                                                                  \
    UNARY(exp)                                                                                                         \
    UNARY(exp2)                                                                                                        \
    UNARY(exp10)                                                                                                       \
    UNARY(expm1)                                                                                                       \
    UNARY(log)                                                                                                         \
    UNARY(log2)                                                                                                        \
    UNARY(log10)                                                                                                       \
    UNARY(log1p)                                                                                                       \
    UNARY(cbrt)                                                                                                        \
    BINARY(pow)                                                                                                        \
    BINARY(hypot)                                                                                                      \
    UNARY(sin)                                                                                                         \
    UNARY(cos)                                                                                                         \
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

namespace chainrule::batches::libmvec {

#if defined(CHAINRULE_HAS_LIBMVEC)
#if defined(__AVX512F__)
#define CHAINRULE_VARIANT(ARGUMENTS) "_ZGVeN8" ARGUMENTS
#define CHAINRULE_FLOAT_VARIANT(ARGUMENTS) "_ZGVeN16" ARGUMENTS
#elif defined(__AVX2__)
#define CHAINRULE_VARIANT(ARGUMENTS) "_ZGVdN4" ARGUMENTS
#define CHAINRULE_FLOAT_VARIANT(ARGUMENTS) "_ZGVdN8" ARGUMENTS
#elif defined(__AVX__)
#define CHAINRULE_VARIANT(ARGUMENTS) "_ZGVcN4" ARGUMENTS
#define CHAINRULE_FLOAT_VARIANT(ARGUMENTS) "_ZGVcN8" ARGUMENTS
#else
#define CHAINRULE_VARIANT(ARGUMENTS) "_ZGVbN2" ARGUMENTS
#define CHAINRULE_FLOAT_VARIANT(ARGUMENTS) "_ZGVbN4" ARGUMENTS
#endif
#define CHAINRULE_UNARY(NAME)                                                                                          \
    [[gnu::const]] simd::lanes<double> NAME(simd::lanes<double>) noexcept __asm__(CHAINRULE_VARIANT("v_" #NAME));      \
    [[gnu::const]] simd::lanes<float> NAME(simd::lanes<float>) noexcept __asm__(                                       \
        CHAINRULE_FLOAT_VARIANT("v_" #NAME "f"));
#define CHAINRULE_BINARY(NAME)                                                                                         \
    [[gnu::const]] simd::lanes<double> NAME(simd::lanes<double>,                                                       \
                                            simd::lanes<double>) noexcept __asm__(CHAINRULE_VARIANT("vv_" #NAME));     \
    [[gnu::const]] simd::lanes<float> NAME(simd::lanes<float>, simd::lanes<float>) noexcept __asm__(                   \
        CHAINRULE_FLOAT_VARIANT("vv_" #NAME "f"));
CHAINRULE_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_VARIANT
#undef CHAINRULE_FLOAT_VARIANT
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#endif

} // namespace chainrule::batches::libmvec
