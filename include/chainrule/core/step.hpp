// SPDX-License-Identifier: BSL-1.0
//
// The marks of the functions of a kernel. All are inlined. Debug information omits the inlined parts, so that a kernel
// is one line to a debugger: otherwise compilers describe the operands of each instruction (1,000 operations with
// derivatives: an object of 17 MB on clang, 4 MB on g++).
//
// CHAINRULE_STEP: a part of a kernel. CHAINRULE_KERNEL: the function that consists of them; g++ describes each step in
// it, but then not where its operands are.
//
// CHAINRULE_STORED_ALONE(number): keeps g++ from storing a number that was just written in one vector with numbers that
// are written later. To collect the numbers of straight-line code in a register of 64 bytes, one by one, takes longer
// than to store them: with AVX-512 a gradient of ten variables took up to 1.6 times as long.
#pragma once

#include <type_traits>

#if defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_STEP [[gnu::always_inline, gnu::nodebug]]
#define CHAINRULE_KERNEL CHAINRULE_STEP
#else
#define CHAINRULE_STEP [[gnu::always_inline]]
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_KERNEL [[gnu::always_inline, gnu::optimize("no-var-tracking-assignments")]]
#else
#define CHAINRULE_KERNEL CHAINRULE_STEP
#endif
#endif

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_STORED_ALONE(NUMBER)                                                                                 \
    if constexpr (std::is_floating_point_v<std::remove_reference_t<decltype((NUMBER))>>)                               \
        if (!__builtin_is_constant_evaluated()) asm("" : "+m"(NUMBER))
#else
#define CHAINRULE_STORED_ALONE(NUMBER) static_cast<void>(0)
#endif
