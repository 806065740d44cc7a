// SPDX-License-Identifier: BSL-1.0
//
// Structural zeros: a derivative that is zero because nothing depends on it stays zero, also where the chain rule would
// multiply it by an infinity or a NaN. The run-time modes ask here whether a number is such a zero.
#pragma once

#include <type_traits>

#include <concepts>

namespace chainrule {

// Numbers that carry derivatives answer for every part: their == compares the value alone. They do so by functions of
// their own, zero_in_every_part() and finite_in_every_part(), which are found by the type of the argument.

/// Whether a number is zero and depends on nothing.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr bool is_structural_zero(const T& x) {
    if constexpr (requires { zero_in_every_part(x); })
        return zero_in_every_part(x);
    else
        return static_cast<bool>(x == T(0));
}

/// Whether zero times the number is zero.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr bool keeps_zero(const T& x) {
    if constexpr (std::is_floating_point_v<T>)
        return __builtin_isfinite(x); // one branch, where comparing x - x with zero takes two
    else if constexpr (requires { finite_in_every_part(x); })
        return finite_in_every_part(x);
    else
        return chainrule::is_structural_zero(T(x - x));
}

} // namespace chainrule
