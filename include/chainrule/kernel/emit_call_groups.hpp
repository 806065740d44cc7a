// SPDX-License-Identifier: BSL-1.0
//
// The calls that codegen/call_groups.hpp grouped, as one call of a vector library.
#pragma once

#include <chainrule/codegen/vector_library.hpp>
#include <chainrule/functions/device.hpp>
#include <chainrule/core/lanes.hpp>
#include <chainrule/core/step.hpp>

namespace chainrule::kernel {

/// The calls of relaxed values on numbers of type T that a kernel makes together, or 0.
template <class T>
#if defined(CHAINRULE_FOR_DEVICES)
inline constexpr int lanes_of_calls = 0;
#else
inline constexpr int lanes_of_calls = codegen::lanes_at_once<T>;
#endif

template <unsigned Function, class Lanes>
CHAINRULE_STEP inline Lanes call_at_once(const Lanes& x) {
    if constexpr (codegen::fewest_at_once(Function) == 0) return x;
#if defined(CHAINRULE_HAS_LIBMVEC)
#define CHAINRULE_UNARY(NAME)                                                                                          \
    else if constexpr (Function == unsigned{functions::NAME::position}) return codegen::libmvec::NAME(x);
#define CHAINRULE_BINARY(NAME)
    CHAINRULE_FUNCTIONS_OF_LIBMVEC(CHAINRULE_UNARY, CHAINRULE_BINARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#endif
}

/// The function of so many numbers from v[a] on, in place. The lanes left over compute what the first does: a number of
/// no use could take the slow path of the library.
template <unsigned Function, std::size_t Count, class T>
CHAINRULE_STEP inline void call_together(T* v, std::size_t a) {
    if constexpr (lanes_of_calls<T> == 2) {
        const simd::lanes<T, 2> y = kernel::call_at_once<Function>(simd::lanes<T, 2>{v[a], v[a + 1]});
        v[a] = y[0];
        v[a + 1] = y[1];
    } else {
        const simd::lanes<T, 4> y = kernel::call_at_once<Function>(
            simd::lanes<T, 4>{v[a], v[a + 1], v[a + (Count > 2 ? 2 : 0)], v[a + (Count > 3 ? 3 : 0)]});
        v[a] = y[0];
        v[a + 1] = y[1];
        if constexpr (Count > 2) v[a + 2] = y[2];
        if constexpr (Count > 3) v[a + 3] = y[3];
    }
}

} // namespace chainrule::kernel
