// SPDX-License-Identifier: BSL-1.0
//
// raise() throws every exception of the library. With -fno-exceptions it passes the message to the handler that
// set_failure_handler() set, or writes it to standard error, and aborts.
#pragma once

#include <chainrule/functions/device.hpp>

#if !defined(__cpp_exceptions)
#include <cstdio>
#include <cstdlib>
#endif

namespace chainrule {

/// Gets the sentence that an exception would carry.
using failure_handler = void (*)(const char* sentence);

namespace core {
inline failure_handler failure_handler_now = nullptr;
} // namespace core

/// Sets what is called in place of a thrown exception with -fno-exceptions; returns the handler before. A handler ends
/// the program or leaves by longjmp: where it returns, the program aborts. Null writes the sentence to standard error.
inline failure_handler set_failure_handler(failure_handler handler) noexcept {
    return __atomic_exchange_n(&core::failure_handler_now, handler, __ATOMIC_ACQ_REL);
}

} // namespace chainrule

namespace chainrule::core {

/// Throws a copy of an exception; without exceptions it calls the handler, or prints what(), and aborts.
template <class Exception>
[[noreturn, gnu::cold, gnu::noinline]] void raise(const Exception& exception) {
#if defined(__cpp_exceptions)
    throw exception;
#else
    if (const failure_handler handler = __atomic_load_n(&failure_handler_now, __ATOMIC_ACQUIRE))
        handler(exception.what());
    else
        std::fprintf(stderr, "%s\n", exception.what());
    std::abort();
#endif
}

/// raise(Exception(arguments...)) for functions that device code calls: there it ends the kernel. A function that calls
/// it has the mark CHAINRULE_HOST_DEVICE.
template <class Exception, class... Argument>
[[noreturn]] CHAINRULE_HOST_DEVICE inline void raise_as(const Argument&... arguments) {
#if defined(CHAINRULE_ON_DEVICE)
    ((void)arguments, ...);
    functions::stop_device();
#else
    raise(Exception(arguments...));
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
