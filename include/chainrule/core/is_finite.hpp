// SPDX-License-Identifier: BSL-1.0
//
// is_finite(), which works in constant expressions too. For lanes the result is a mask.
#pragma once

#include <limits>
#include <type_traits>

namespace chainrule::core {

template <class T>
[[nodiscard, gnu::always_inline]] constexpr auto is_finite(const T& x) {
    if constexpr (std::is_floating_point_v<T>) // the difference of two infinities is no constant expression for clang
        return -std::numeric_limits<T>::max() <= x && x <= std::numeric_limits<T>::max();
    else
        return x - x == T(0);
}

} // namespace chainrule::core
