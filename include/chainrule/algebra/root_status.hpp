// SPDX-License-Identifier: BSL-1.0
//
// The ends of a search for a root: of newton() for one system, and in batch/roots.hpp for many.
#pragma once

#include <concepts>
#include <limits>

namespace chainrule {

/// The outcome of a search for a root.
enum class root_status {
    converged,
    not_finite,     // g or its derivatives are infinite or NaN at an iterate
    no_slope,       // the derivative is zero, or the Jacobian singular, at an iterate
    no_convergence, // more than 100 iterations
};

namespace detail {

/// Whether a step of an unknown is small: to about the square root of the rounding error of its size; or, where the
/// unknown is zero, to some thousand rounding errors of its recent sizes. Numbers are of type T, or lanes of them.
template <class T, class Number>
[[nodiscard, gnu::always_inline]] constexpr auto is_small_step(const Number& step, const Number& size,
                                                               const Number& recent) {
    constexpr T rounded = T(4096) * std::numeric_limits<T>::epsilon();
    constexpr T nearly = T(1) / static_cast<T>(1LL << (std::numeric_limits<T>::digits / 2));
    if constexpr (std::same_as<T, Number>)
        return step <= nearly * size || step <= rounded * recent;
    else
        return (step <= Number(nearly) * size) | (step <= Number(rounded) * recent);
}

} // namespace detail

} // namespace chainrule
