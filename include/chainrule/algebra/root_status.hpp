// SPDX-License-Identifier: BSL-1.0
//
// How a search for a root ended: that of newton() for one system, and those of batch/roots.hpp for many.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

namespace chainrule {

/// The outcome of a search for a root.
enum class root_status {
    converged,      ///< to a root, up to rounding
    not_finite,     ///< g or its derivatives are infinite or NaN at an iterate
    no_slope,       ///< the derivative is zero, or the Jacobian singular, at an iterate
    no_convergence, ///< more than 100 iterations
};

namespace detail {

/// The limits of numbers of type T. A class that states none counts as a double: without this, it would have no digits,
/// and every step would be small.
template <class T>
using limits_of = std::numeric_limits<std::conditional_t<std::numeric_limits<T>::is_specialized, T, double>>;

/// About the square root of the rounding error.
template <class T>
[[nodiscard]] constexpr T root_of_rounding_error() {
    T result(1);
    for (int i = 0; i < limits_of<T>::digits / 2; ++i) result = result / T(limits_of<T>::radix);
    return result;
}

/// Whether a step of an unknown is small: to about the square root of the rounding error of its size; or, where the
/// unknown is zero, to some thousand rounding errors of its recent sizes. Numbers are of type T, or lanes of them.
template <class T, class Number>
[[nodiscard, gnu::always_inline]] constexpr auto is_small_step(const Number& step, const Number& size,
                                                               const Number& recent) {
    if constexpr (std::floating_point<T>) {
        constexpr T rounded = T(4096) * std::numeric_limits<T>::epsilon(), nearly = root_of_rounding_error<T>();
        if constexpr (std::same_as<T, Number>)
            return step <= nearly * size || step <= rounded * recent;
        else
            return (step <= Number(nearly) * size) | (step <= Number(rounded) * recent);
    } else { // a class that may have no constants
        const T rounded = T(4096) * T(limits_of<T>::epsilon()), nearly = root_of_rounding_error<T>();
        return step <= nearly * size || step <= rounded * recent;
    }
}

} // namespace detail

} // namespace chainrule
