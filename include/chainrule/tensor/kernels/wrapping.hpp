// SPDX-License-Identifier: BSL-1.0
//
// Arithmetic of integers that wraps around, as in NumPy; of floating-point numbers as ever.
#pragma once

#include <type_traits>

namespace chainrule::tensor::kernels {

/// An operand for which + - * do not overflow: integers become unsigned and wrap around.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr auto wrapping(T a) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return static_cast<std::common_type_t<std::make_unsigned_t<T>, unsigned>>(a);
    else
        return a;
}
template <class T>
[[nodiscard, gnu::always_inline]] constexpr T plus(T a, T b) {
    return static_cast<T>(wrapping(a) + wrapping(b));
}

/// sum + a b.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr T plus_product(T sum, T a, T b) {
    return static_cast<T>(wrapping(sum) + wrapping(a) * wrapping(b));
}

} // namespace chainrule::tensor::kernels
