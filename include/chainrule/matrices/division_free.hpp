// SPDX-License-Identifier: BSL-1.0
//
// The determinant without a division, for numbers that carry derivatives where every remaining pivot is zero.
#pragma once

#include <type_traits>

namespace chainrule::detail {

/// The determinant of the rows and columns of a square matrix from `first` to `end`: R. S. Bird, "A simple
/// division-free algorithm for computing determinants", Information Processing Letters 111 (2011), 1072-1074.
template <class Matrix, class Index>
constexpr auto determinant_without_division(const Matrix& a, Index first, Index end) {
    using T = std::remove_cvref_t<decltype(a(first, first))>;
    Matrix x = a;
    for (Index step = first + 1; step < end; ++step) {
        // The product of a with what x is above its diagonal, and minus the sum of the rest of x's diagonal on it.
        Matrix product = a;
        T diagonal = T(0);
        for (Index i = end; i-- > first;) {
            for (Index j = first; j < end; ++j) {
                T sum = diagonal * a(i, j);
                for (Index k = i + 1; k < end; ++k) sum = sum + x(i, k) * a(k, j);
                product(i, j) = sum;
            }
            diagonal = diagonal - x(i, i);
        }
        x = product;
    }
    return (end - first) % 2 == 0 ? T(-x(first, first)) : x(first, first);
}

} // namespace chainrule::detail
