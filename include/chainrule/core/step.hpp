// SPDX-License-Identifier: BSL-1.0
//
// The marks of the functions of a kernel. All are inlined. Debug information omits the inlined parts, so that a kernel
// is one line to a debugger: otherwise compilers describe the operands of each instruction (1,000 operations with
// derivatives: an object of 17 MB on clang, 4 MB on g++).
//
// CHAINRULE_STEP: a part of a kernel. CHAINRULE_KERNEL: the function that consists of them; g++ describes each step in
// it, but then not where its operands are.
#pragma once

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
