// SPDX-License-Identifier: BSL-1.0
//
// The functions of glibc's libmvec (codegen/vector_library.hpp) for the widest registers.
#pragma once

#include <chainrule/batch/lanes/vector_number.hpp>
#include <chainrule/codegen/vector_library.hpp>

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
