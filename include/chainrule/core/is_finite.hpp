// SPDX-License-Identifier: BSL-1.0
//
// is_finite(), which works in constant expressions too. For lanes the result is a mask.
#pragma once

#include <limits>
#include <type_traits>

namespace chainrule::core {

template <class T>
[[nodiscard, gnu::always_inline]] constexpr auto is_finite(const T& x) {
    // For clang the difference of two infinities is not a constant expression.
    if constexpr (std::is_floating_point_v<T>)
        return -std::numeric_limits<T>::max() <= x && x <= std::numeric_limits<T>::max();
    else
        return x - x == T(0);
}

} // namespace chainrule::core
