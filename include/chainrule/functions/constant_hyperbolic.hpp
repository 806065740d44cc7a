// SPDX-License-Identifier: BSL-1.0
//
// Values of the hyperbolic functions and their inverses in constant expressions.
#pragma once

#include <chainrule/functions/constant_roots.hpp>

namespace chainrule::constant_evaluation {

// The hyperbolic functions in terms of q = e^|x| - 1 (Abramowitz and Stegun 4.5.1 to 4.5.3), which keeps sinh and tanh
// accurate for small x. For |x| >= 100, e^-|x| is below every rounding error.

template <std::floating_point T>
constexpr T sinh(T x) noexcept {
    if (x != x || is_tiny(x)) return x;
    const working_word<T> a = fabs(x);
    scaled_word<working_type<T>> value = {0, -1};
    if (a.hi < 100) {
        const auto q = exponential_minus_one(a);
        value.mantissa = q + q / (q + 1);
    } else {
        value = exponential(a);
        --value.exponent;
    }
    if (x < 0) value.mantissa = -value.mantissa;
    return rounded<T>(value);
}

template <std::floating_point T>
constexpr T cosh(T x) noexcept {
    if (x != x) return x;
    const working_word<T> a = fabs(x);
    scaled_word<working_type<T>> value = exponential(a);
    if (a.hi < 100) {
        const auto power = value.mantissa * power_of_two<working_type<T>>(value.exponent);
        value = {power + 1 / power, 0};
    }
    --value.exponent;
    return rounded<T>(value);
}

template <std::floating_point T>
constexpr T tanh(T x) noexcept {
    if (x != x || is_tiny(x)) return x;
    if (x > 50 || x < -50) return x < 0 ? T(-1) : T(1);
    const auto q = exponential_minus_one(working_word<T>(x) * 2);
    return rounded<T>(q / (q + 2));
}

// The inverse hyperbolic functions, with logarithms of 1 + q for small q (Abramowitz and Stegun 4.6.20 to 4.6.22).

template <std::floating_point T>
constexpr T asinh(T x) noexcept {
    using wide = working_type<T>;
    using word = working_word<T>;
    if (x != x || is_tiny(x) || fabs(x) == infinity<T>) return x;
    const word a = fabs(x);
    word value = 0;
    if (a.hi > 0x1p60) {
        value = logarithm(a) + ln2<wide>;
    } else {
        // asinh(a) = artanh(a / sqrt(1 + a^2))
        const word root = square_root(1 + a * a), t = a / root;
        value = t.hi < T(0.4) ? inverse_tangent_series(t, 1) : logarithm(a + root);
    }
    return rounded<T>(x < 0 ? -value : value);
}

template <std::floating_point T>
constexpr T acosh(T x) noexcept {
    using word = working_word<T>;
    if (!(x >= 1)) return not_a_number<T>;
    if (x == infinity<T>) return x;
    const word a = x;
    if (a.hi > 0x1p60) return rounded<T>(logarithm(a) + ln2<working_type<T>>);
    if (x == 1) return 0;
    // acosh(a) = artanh(sqrt(a^2 - 1) / a)
    const word root = square_root((a - 1) * (a + 1)), t = root / a;
    return rounded<T>(t.hi < T(0.4) ? inverse_tangent_series(t, 1) : logarithm(a + root));
}

template <std::floating_point T>
constexpr T atanh(T x) noexcept {
    using word = working_word<T>;
    if (x != x || is_tiny(x)) return x;
    if (fabs(x) > 1) return not_a_number<T>;
    if (fabs(x) == 1) return x < 0 ? -infinity<T> : infinity<T>;
    const word a = x;
    return rounded<T>(fabs(x) < T(0.4) ? inverse_tangent_series(a, 1)
                                       : logarithm((1 + a) / (1 - a)) / working_type<T>(2));
}

} // namespace chainrule::constant_evaluation
