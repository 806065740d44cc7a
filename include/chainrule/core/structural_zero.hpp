// SPDX-License-Identifier: BSL-1.0
//
// Structural zeros: a derivative that is zero because there is no dependence stays zero, even if the chain rule would
// multiply it by an infinity or a NaN. The run-time modes test here whether a number is such a zero.
#pragma once

#include <type_traits>

#include <concepts>

namespace chainrule::core {

// Numbers that carry derivatives must test every part, since their == compares only the value. They define
// zero_in_every_part() and finite_in_every_part(), which argument-dependent lookup finds.

/// Whether a number is zero and depends on nothing.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr bool is_structural_zero(const T& x) {
    if constexpr (requires { zero_in_every_part(x); })
        return zero_in_every_part(x);
    else if constexpr (requires { x.lower() == x.upper(); }) // an interval, whose == is undecided where 0 is within
        return core::is_structural_zero(x.lower()) && core::is_structural_zero(x.upper());
    else
        return static_cast<bool>(x == T(0));
}

/// Whether zero times the number is zero.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr bool keeps_zero(const T& x) {
    if constexpr (std::is_floating_point_v<T>)
        return __builtin_isfinite(x); // one branch; comparing x - x with zero takes two
    else if constexpr (requires { finite_in_every_part(x); })
        return finite_in_every_part(x);
    else
        return core::is_structural_zero(T(T(0) * x));
}

} // namespace chainrule::core
