// SPDX-License-Identifier: BSL-1.0
//
// Exponentials of scores without overflow, the first step of softmax for tensors and for static networks.
#pragma once

#include <chainrule/tensor/kernels/sum_of.hpp>

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
    const T sum = sum_of<T>(0, static_cast<std::ptrdiff_t>(size), [=](std::ptrdiff_t at) {
        const auto k = static_cast<Index>(at) * step;
        const T shifted = x[k] - largest;
        return exponentials[k] = shifted == 0 ? T(1) : std::exp(shifted); // one is 0 in every row
    });
    return {largest, sum};
}

} // namespace chainrule::tensor::kernels
