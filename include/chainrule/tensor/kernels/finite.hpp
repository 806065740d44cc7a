// SPDX-License-Identifier: BSL-1.0
//
// A test of arrays for infinities and NaNs: either makes their sum infinite or NaN. An overflow of the sum does so too,
// so false means "check each number".
#pragma once

#include <chainrule/tensor/kernels/lanes.hpp>
#include <chainrule/tensor/storage/extents.hpp>

namespace chainrule::tensor::kernels {

/// Whether the sum of the numbers is finite; if so, all numbers are.
template <class T>
[[nodiscard, gnu::always_inline]] inline bool are_finite(const T* numbers, index size) {
    T sum = 0;
    index i = 0;
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        constexpr auto width = static_cast<index>(native_lanes<T>);
        if (size >= 4 * width) {
            lanes<T> sums[4] = {};
            for (; i + 4 * width <= size; i += 4 * width)
                for (index k = 0; k < 4; ++k) sums[k] += load<native_lanes<T>>(numbers + i + k * width);
            sum = sum_of_lanes<native_lanes<T>, T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
        }
    }
    for (; i < size; ++i) sum += numbers[i];
    return sum - sum == T(0);
}

/// Whether an operand of an m x n matrix product may have held an infinity or a NaN. Such an element makes a whole row
/// or column of the product non-finite, so the sum of the first row and the first column tells.
template <class T>
[[nodiscard, gnu::always_inline]] inline bool shows_infinity(const T* product, index m, index n) {
    if constexpr (std::is_floating_point_v<T>) {
        if (m == 0 || n == 0) return false;
        T sum = 0;
        for (index j = 0; j < n; ++j) sum += product[j];
        const T* at = product + n;
        index rows = m - 1;
        for (; rows >= 4; rows -= 4, at += 4 * n) sum += (at[0] + at[n]) + (at[2 * n] + at[3 * n]);
        for (; rows > 0; --rows, at += n) sum += *at;
        return sum - sum != T(0);
    } else {
        return false;
    }
}

} // namespace chainrule::tensor::kernels
