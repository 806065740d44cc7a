// SPDX-License-Identifier: BSL-1.0
//
// Exponentials of scores without overflow, the first step of softmax for tensors and for static networks.
#pragma once

#include <cmath>
#include <utility>

namespace chainrule::tensor::kernels {

/// Writes exp(x - max) for scores x that are `step` apart and returns {max, sum of the exponentials} (Goodfellow et
/// al., Deep Learning, 2016, 4.1). `exponentials` may be `x`.
template <class T, class Index>
[[gnu::always_inline]] inline std::pair<T, T> shifted_exponentials(const T* x, T* exponentials, Index size,
                                                                   Index step) {
    T largest = x[0];
    for (Index k = 1; k < size; ++k) largest = x[k * step] > largest ? x[k * step] : largest;
    T sum = 0;
    for (Index k = 0; k < size; ++k) {
        const T shifted = x[k * step] - largest;
        sum += exponentials[k * step] = shifted == 0 ? T(1) : std::exp(shifted); // one is 0 in every row
    }
    return {largest, sum};
}

} // namespace chainrule::tensor::kernels
