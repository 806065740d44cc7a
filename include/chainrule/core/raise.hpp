// SPDX-License-Identifier: BSL-1.0
//
// raise() throws every exception of the library. With -fno-exceptions it writes the message to standard error and
// aborts.
#pragma once

#if !defined(__cpp_exceptions)
#include <cstdio>
#include <cstdlib>
#endif

namespace chainrule::core {

/// Throws a copy of an exception; without exceptions it prints what() and aborts.
template <class Exception>
[[noreturn, gnu::cold, gnu::noinline]] void raise(const Exception& exception) {
#if defined(__CUDA_ARCH__)
    for (;;) asm("trap;");
#elif defined(__cpp_exceptions)
    throw exception;
#else
    std::fprintf(stderr, "%s\n", exception.what());
    std::abort();
#endif
}

} // namespace chainrule::core

// try { ... } catch (...) { undo; throw; }: without exceptions there is nothing to undo.
#if defined(__cpp_exceptions)
#define CHAINRULE_TRY try
#define CHAINRULE_CATCH(...) catch (__VA_ARGS__)
#define CHAINRULE_RETHROW throw
#else
#define CHAINRULE_TRY if constexpr (true)
#define CHAINRULE_CATCH(...) else
#define CHAINRULE_RETHROW static_cast<void>(0)
#endif
