// SPDX-License-Identifier: BSL-1.0
//
// How a search for a root ended: that of newton() for one system, and those of batch/roots/roots.hpp for many.
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
    constexpr auto power_of_radix = [] {
        T result(1);
        for (int i = 0; i < limits_of<T>::digits / 2; ++i) result = result / T(limits_of<T>::radix);
        return result;
    };
    if constexpr (std::floating_point<T>) {
        constexpr T root = power_of_radix();
        return root;
    } else { // a class that may have no constants
        return power_of_radix();
    }
}

/// Some thousand rounding errors of 1.
template <class T>
[[nodiscard]] constexpr T some_rounding_errors() {
    return T(4096) * T(limits_of<T>::epsilon());
}

/// Whether a step of an unknown is small: to about the square root of the rounding error of its size; or, where the
/// unknown is zero, to some thousand rounding errors of its recent sizes. Numbers are of type T, or lanes of them.
template <class T, class Number>
[[nodiscard, gnu::always_inline]] constexpr auto is_small_step(const Number& step, const Number& size,
                                                               const Number& recent) {
    using truth = decltype(step <= size); // a bool, or a mask of lanes
    const truth beside_size = step <= Number(root_of_rounding_error<T>()) * size,
                beside_recent = step <= Number(some_rounding_errors<T>()) * recent;
    return static_cast<truth>(beside_size | beside_recent);
}

/// Whether rounding in g stopped an unknown: its step is small and not smaller than the previous one, as near a double
/// root; or it is zero, to some thousand rounding errors of its recent sizes, before the step and behind it. There the
/// other unknowns may leave it steps that shrink too slowly.
template <class T, class Number>
[[nodiscard, gnu::always_inline]] constexpr auto is_stopped(const Number& step, const Number& previous_step,
                                                            const Number& before, const Number& size,
                                                            const Number& recent) {
    const Number zero = Number(some_rounding_errors<T>()) * recent;
    using truth = decltype(step <= size);
    const truth grows = step >= previous_step, small = detail::is_small_step<T>(step, size, recent),
                was_zero = before <= zero, is_zero = size <= zero;
    return static_cast<truth>((grows & small) | (was_zero & is_zero));
}

} // namespace detail

} // namespace chainrule
