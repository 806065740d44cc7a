// SPDX-License-Identifier: BSL-1.0
//
// Turns a program whose calls codegen/call_groups.hpp grouped into machine code: a group is one call of a vector
// library.
#pragma once

#include <chainrule/codegen/call_groups.hpp>
#include <chainrule/core/lanes.hpp>
#include <chainrule/kernel/step.hpp>

namespace chainrule::kernel {

/// The calls of relaxed values on numbers of type T that a kernel makes together, or 0.
template <class T>
#if defined(__CUDACC__) || defined(__CUDA__) || defined(__HIP__)
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

// One instruction, of which `Instance` is a part: codegen::instance_of.
template <codegen::packed Instance, class Own, class T, class Context>
CHAINRULE_STEP inline void step_of_groups(T* v, std::size_t slot, codegen::packed i, const Context& context) {
    using codegen::vector_operation;
    constexpr auto what = static_cast<unsigned>(Instance & 255), function = static_cast<unsigned>(Instance >> 8 & 255);
    [[maybe_unused]] const std::size_t a = i >> 16 & 65535;
    if constexpr (what == static_cast<unsigned>(vector_operation::copy)) {
        v[slot] = v[a];
    } else if constexpr (what == static_cast<unsigned>(vector_operation::calls)) {
        constexpr std::size_t count = Instance >> 48;
        // The lanes left over compute what the first does: a number of no use could take the slow path of the library.
        if constexpr (lanes_of_calls<T> == 2) {
            const simd::lanes<T, 2> y = kernel::call_at_once<function>(simd::lanes<T, 2>{v[a], v[a + 1]});
            v[a] = y[0];
            v[a + 1] = y[1];
        } else {
            const simd::lanes<T, 4> y = kernel::call_at_once<function>(
                simd::lanes<T, 4>{v[a], v[a + 1], v[a + (count > 2 ? 2 : 0)], v[a + (count > 3 ? 3 : 0)]});
            v[a] = y[0];
            v[a + 1] = y[1];
            if constexpr (count > 2) v[a + 2] = y[2];
            if constexpr (count > 3) v[a + 3] = y[3];
        }
    } else {
        kernel::step<what, function, Own>(v, slot, i, context);
    }
}

} // namespace chainrule::kernel
