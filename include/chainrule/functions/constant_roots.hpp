// SPDX-License-Identifier: BSL-1.0
//
// Rounding, signs, square and cube roots in constant expressions: the functions that need no series; and the type in
// which all such functions are computed.
#pragma once

#include <chainrule/functions/double_word_functions.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace chainrule::constant_evaluation {

/// The type in which functions of T are computed, as a double_word if precision matters.
template <std::floating_point T>
using working_type = std::conditional_t<(sizeof(T) < sizeof(double)), double, T>;

template <std::floating_point T>
using working_word = double_word<working_type<T>>;

/// Whether f(x) = x + O(x^2) rounds to x. This test avoids the underflow of products of tiny numbers.
template <std::floating_point T>
constexpr bool is_tiny(T x) noexcept {
    constexpr T bound = std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon();
    return x < bound && -x < bound;
}

/// x without its fractional part.
template <std::floating_point T>
constexpr T trunc(T x) noexcept {
    constexpr T unit_one = 1 / std::numeric_limits<T>::epsilon(); // numbers of at least this size are integers
    const T a = fabs(x);
    if (!(a < unit_one)) return x;
    const T nearest = (a + unit_one) - unit_one, whole = nearest > a ? nearest - 1 : nearest;
    return is_negative(x) ? -whole : whole;
}

/// The largest integer <= x.
template <std::floating_point T>
constexpr T floor(T x) noexcept {
    const T whole = trunc(x);
    return whole > x ? whole - 1 : whole;
}

template <std::floating_point T>
constexpr T ceil(T x) noexcept {
    const T whole = trunc(x);
    return whole < x ? whole + 1 : whole;
}

/// The nearest integer, halves away from zero.
template <std::floating_point T>
constexpr T round(T x) noexcept {
    const T whole = trunc(x);
    if (whole == x) return x; // infinities too
    const T rest = x - whole;
    return rest >= T(0.5) ? whole + 1 : rest <= T(-0.5) ? whole - 1 : whole;
}

/// The binary exponent of x, also for subnormal numbers.
template <std::floating_point T>
constexpr T logb(T x) noexcept {
    if (x == 0) return -infinity<T>;
    if (!(fabs(x) < infinity<T>)) return fabs(x);
    return static_cast<T>(normalised(fabs(x)).exponent);
}

/// x 2^n, rounded once.
template <std::floating_point T>
constexpr T ldexp(T x, int n) noexcept {
    constexpr int most = std::numeric_limits<T>::max_exponent - 1, least = std::numeric_limits<T>::min_exponent - 1;
    for (; n > most; n -= most) x *= power_of_two<T>(most);
    // A step below the normal range rounds only digits that the next step removes anyway.
    constexpr int step = least + std::numeric_limits<T>::digits;
    for (; n < least; n -= step) x *= power_of_two<T>(step);
    return x * power_of_two<T>(n);
}

template <std::floating_point T>
constexpr T copysign(T x, T y) noexcept {
    return is_negative(x) == is_negative(y) ? x : -x;
}

/// x y + z; rounded twice, but exact where z cancels the product, unless that has digits below the least number.
template <std::floating_point T>
constexpr T fma(T x, T y, T z) noexcept {
    const T plain = x * y + z;
    if (!(fabs(plain) < infinity<T>)) return plain;
    // Products of halves of a large factor would overflow: its scale goes to the other one, if that is small.
    constexpr T limit = power_of_two<T>(std::numeric_limits<T>::max_exponent - std::numeric_limits<T>::digits);
    const T down = power_of_two<T>(-std::numeric_limits<T>::digits),
            up = power_of_two<T>(std::numeric_limits<T>::digits);
    if (fabs(x) > limit) return fabs(y) > limit ? plain : fma(x * down, y * up, z);
    if (fabs(y) > limit) return fma(x * up, y * down, z);
    return (double_word<T>::exact_product(x, y) + double_word<T>(z)).hi;
}

/// The square root, correctly rounded, by Newton's method.
template <std::floating_point T>
constexpr T sqrt(T x) noexcept {
    using wide = working_type<T>;
    if (x < 0) return not_a_number<T>;
    if (!(x > 0 && x < infinity<T>)) return x;
    auto [mantissa, exponent] = normalised(wide{x});
    wide m = mantissa.hi;
    if (exponent % 2 != 0) {
        m *= 2;
        --exponent;
    }
    wide y = (m + 2) / 3;
    for (int i = 0; i < 5; ++i) y = (y + m / y) / 2;
    // The exact residual shows whether y is the nearest number: (y + u/2)^2 is never a number of the type.
    constexpr wide unit = std::numeric_limits<wide>::epsilon();
    const wide residual = (working_word<T>(m) - working_word<T>::exact_product(y, y)).hi;
    if (residual > y * unit) y += unit;
    if (residual <= -(y * unit)) y -= unit;
    return rounded<T>(scaled_word<wide>{y, exponent / 2});
}

/// The square root of a double word for positive x, by one step of Newton's method from the root of its high part.
template <std::floating_point T>
constexpr double_word<T> square_root(double_word<T> x) noexcept {
    const T root = sqrt(x.hi);
    return root + (x - double_word<T>::exact_product(root, root)) / (2 * root);
}

/// The cube root, by Halley's method.
template <std::floating_point T>
constexpr T cbrt(T x) noexcept {
    using word = working_word<T>;
    const T a = fabs(x);
    if (!(a > 0 && a < infinity<T>)) return x;
    const auto [mantissa, exponent] = normalised(working_type<T>{a});
    const int rest = (exponent % 3 + 3) % 3;
    const auto m = mantissa.hi * static_cast<working_type<T>>(1 << rest);
    auto y = m / 6 + working_type<T>(0.8);
    for (int i = 0; i < 4; ++i) {
        const auto cube = y * y * y;
        y *= (cube + 2 * m) / (2 * cube + m);
    }
    const word root = y + (m - word::exact_product(y, y) * y) / (3 * y * y);
    return rounded<T>(scaled_word<working_type<T>>{x < 0 ? -root : root, (exponent - rest) / 3});
}

} // namespace chainrule::constant_evaluation
