// SPDX-License-Identifier: BSL-1.0
//
// Sums of many numbers, pairwise, so that the error grows with the logarithm of the count and not with the count
// (Higham, "The accuracy of floating point summation", 1993): one after the other, a million floats of equal size lose
// a hundredth of their sum.
#pragma once

#include <chainrule/tensor/kernels/wrapping.hpp>

#include <cstddef>

namespace chainrule::tensor::kernels {

/// So many numbers are added one after the other; more are halved.
inline constexpr std::ptrdiff_t most_in_turn = 32;

template <class T, class F>
[[nodiscard]] T sum_of_halves(std::ptrdiff_t begin, std::ptrdiff_t end, const F& f);

/// The sum of f(i) for i from begin to the one before end, each called once and in this order.
template <class T, class F>
[[nodiscard, gnu::always_inline]] inline T sum_of(std::ptrdiff_t begin, std::ptrdiff_t end, const F& f) {
    if (end - begin > most_in_turn) return sum_of_halves<T>(begin, end, f);
    T total = 0;
    for (; begin < end; ++begin) total = plus(total, f(begin));
    return total;
}
template <class T, class F>
[[gnu::noinline]] T sum_of_halves(std::ptrdiff_t begin, std::ptrdiff_t end, const F& f) {
    const std::ptrdiff_t middle = begin + (end - begin) / 2;
    const T first = sum_of<T>(begin, middle, f);
    return plus(first, sum_of<T>(middle, end, f));
}

} // namespace chainrule::tensor::kernels
