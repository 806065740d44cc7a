// SPDX-License-Identifier: BSL-1.0
//
// Double words times powers of two, for numbers that may lie outside the range of their type, and their rounding.
#pragma once

#include <chainrule/functions/double_word.hpp>
#include <chainrule/functions/irrational.hpp>

namespace chainrule::constant_evaluation {

/// mantissa * 2^exponent, for numbers that may lie outside the range of T.
template <std::floating_point T>
struct scaled_word {
    double_word<T> mantissa;
    int exponent;
};

/// The powers 2^(2^i) that are finite.
template <std::floating_point T>
struct squared_twos {
    static constexpr int count = std::bit_width(unsigned{std::numeric_limits<T>::max_exponent - 1});
    T power[unsigned{count}]{2};

    constexpr squared_twos() noexcept {
        for (int i = 1; i < count; ++i) power[i] = power[i - 1] * power[i - 1];
    }
};

template <std::floating_point T>
inline constexpr squared_twos<T> two_to_the_two_to;

/// 2^exponent, if it and 2^-exponent are representable.
template <std::floating_point T>
constexpr T power_of_two(int exponent) noexcept {
    T power = 1;
    const T* square = two_to_the_two_to<T>.power;
    for (int rest = exponent < 0 ? -exponent : exponent; rest != 0; rest /= 2, ++square)
        if (rest % 2 != 0) power *= *square;
    return exponent < 0 ? 1 / power : power;
}

/// value * 2^exponent, rounded once; infinity or zero outside the range. |value| must be 0 or in [2^-31, 2^31], or less
/// where the exponent is positive.
template <std::floating_point T>
constexpr T scaled(T value, int exponent) noexcept {
    using limits = std::numeric_limits<T>;
    if (exponent < limits::min_exponent - limits::digits - 64) return value < 0 ? -T(0) : T(0);
    if (exponent > limits::max_exponent + 32) exponent = limits::max_exponent + 32;
    // Every factor but the last keeps the number normal, so a subnormal result is rounded once. Overflow is predicted
    // and avoided, because g++ rejects a constant expression that overflows.
    const int first = exponent / 2, last = exponent > 64 ? 64 : 0;
    const T near = value * power_of_two<T>(first) * power_of_two<T>(exponent - first - last);
    if (last == 0) return near;
    constexpr T limit = limits::max() / power_of_two<T>(64);
    if (near > limit) return limits::infinity();
    return near < -limit ? -limits::infinity() : near * power_of_two<T>(last);
}

/// A positive finite number as mantissa * 2^exponent with the mantissa in [1, 2).
template <std::floating_point T>
constexpr scaled_word<T> normalised(T value) noexcept {
    using limits = std::numeric_limits<T>;
    int exponent = 0;
    if (value < limits::min()) {
        value *= power_of_two<T>(limits::digits);
        exponent = -limits::digits;
    }
    const bool large = value >= 1;
    for (int i = squared_twos<T>::count - 1; i >= 0; --i) {
        const int step = 1 << i;
        const T power = two_to_the_two_to<T>.power[i], candidate = large ? value / power : value * power;
        if (large ? candidate < 1 : candidate >= 2) continue;
        value = candidate;
        exponent += large ? step : -step;
    }
    return {value, exponent};
}

/// The nearest number of type T.
template <std::floating_point T, std::floating_point Wide>
constexpr T rounded(scaled_word<Wide> number) noexcept {
    Wide value = number.mantissa.hi;
    // A subnormal result has fewer digits: adding a number with its last place rounds once, including the low word.
    const int lowest = std::numeric_limits<Wide>::min_exponent - 1 - number.exponent;
    if (lowest > -32 && lowest < 128) {
        const Wide smallest_normal = power_of_two<Wide>(lowest);
        const Wide shift = value < 0 ? -smallest_normal : smallest_normal;
        const Wide few_digits = (number.mantissa + shift).hi - shift;
        if (fabs(value) < smallest_normal && few_digits != 0) value = few_digits;
    }
    value = scaled(value, number.exponent);
    if constexpr (sizeof(T) < sizeof(Wide)) {
        constexpr Wide largest = std::numeric_limits<T>::max();
        constexpr Wide overflow = largest + largest * std::numeric_limits<T>::epsilon() / 4;
        if (fabs(value) >= overflow) return value < 0 ? -infinity<T> : infinity<T>;
        if (fabs(value) > largest) return static_cast<T>(value < 0 ? -largest : largest);
    }
    return static_cast<T>(value);
}

template <std::floating_point T, std::floating_point Wide>
constexpr T rounded(double_word<Wide> number) noexcept {
    return rounded<T>(scaled_word<Wide>{number, 0});
}

/// The double word nearest to a constant, of every floating-point type. `third` is the double nearest to what the two
/// words of the constant leave.
template <std::floating_point T>
constexpr double_word<T> constant(irrational value, double third) noexcept {
    return double_word<T>(static_cast<T>(value.high)) +
           (double_word<T>(static_cast<T>(value.low)) + static_cast<T>(third));
}

template <std::floating_point T>
inline constexpr double_word<T> pi = constant<T>(irrational::pi, -0x1.f1976b7ed8fbcp-109);
template <std::floating_point T>
inline constexpr double_word<T> ln2 = constant<T>(irrational::ln_2, 0x1.7b57a079a1934p-111);
template <std::floating_point T>
inline constexpr double_word<T> two_over_root_pi = constant<T>(irrational::two_over_sqrt_pi, -0x1.3cbbebf65f145p-111);

} // namespace chainrule::constant_evaluation
