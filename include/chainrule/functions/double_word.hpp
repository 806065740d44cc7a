// SPDX-License-Identifier: BSL-1.0
//
// double_word: numbers of twice the working precision in constant expressions, as the unevaluated sum of two floating-
// point numbers. Every operation is plain IEEE arithmetic (no fma, no <cmath>), avoids overflow to infinity and never
// makes a NaN, so that each compiler can fold it.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace chainrule::constant_evaluation {

template <std::floating_point T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <std::floating_point T>
inline constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

/// The sign bit, except for a NaN.
template <std::floating_point T>
constexpr bool is_negative(T x) noexcept {
    return x < 0 || (x == 0 && std::bit_cast<std::uint64_t>(static_cast<double>(x)) != 0);
}

template <std::floating_point T>
constexpr T fabs(T x) noexcept {
    return is_negative(x) ? -x : x;
}

/// A rounded product. At run time a compiler with fused multiply-add could otherwise fuse it into the next sum, and the
/// errors computed below would be wrong.
template <std::floating_point T>
constexpr T unfused(T product) noexcept {
#if defined(__GNUC__)
    // Not std::is_constant_evaluated, since this is called often and clang counts the steps of each call.
    if (!__builtin_is_constant_evaluated()) asm("" : "+m"(product));
#endif
    return product;
}

/// The number hi + lo, where |lo| is at most half a unit in the last place of hi. Relative error of each operation: a
/// few units of epsilon squared. Formulas: Dekker, "A floating-point technique for extending the available precision"
/// (1971), and Knuth, The Art of Computer Programming, volume 2, section 4.2.2. Not valid at run time with -ffast-math.
template <std::floating_point T>
struct double_word {
    T hi{};
    T lo{};

    constexpr double_word(T high, T low = 0) noexcept : hi(high), lo(low) {}

    /// a + b exactly, for |a| >= |b|.
    static constexpr double_word ordered_sum(T a, T b) noexcept {
        const T sum = a + b;
        return {sum, b - (sum - a)};
    }

    /// a + b exactly.
    static constexpr double_word exact_sum(T a, T b) noexcept {
        const T sum = a + b, b_part = sum - a;
        return {sum, (a - (sum - b_part)) + (b - b_part)};
    }

    /// a split into two numbers of half the digits, whose products are exact.
    static constexpr double_word halves(T a) noexcept {
        constexpr T splitter = static_cast<T>(1ULL << ((std::numeric_limits<T>::digits + 1) / 2)) + 1;
        const T shifted = unfused(splitter * a), high = shifted - (shifted - a);
        return {high, a - high};
    }

    /// a * b exactly, unless the low word underflows.
    static constexpr double_word exact_product(T a, T b) noexcept {
        const T product = unfused(a * b);
        const double_word x = halves(a), y = halves(b);
        return {product, ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
    }

    friend constexpr double_word operator-(double_word a) noexcept { return {-a.hi, -a.lo}; }

    friend constexpr double_word operator+(double_word a, double_word b) noexcept {
        const double_word high = exact_sum(a.hi, b.hi), low = exact_sum(a.lo, b.lo);
        const double_word sum = ordered_sum(high.hi, high.lo + low.hi);
        return ordered_sum(sum.hi, sum.lo + low.lo);
    }

    friend constexpr double_word operator-(double_word a, double_word b) noexcept { return a + -b; }

    friend constexpr double_word operator*(double_word a, double_word b) noexcept {
        const double_word product = exact_product(a.hi, b.hi);
        return ordered_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
    }

    friend constexpr double_word operator/(double_word a, double_word b) noexcept {
        const T quotient = a.hi / b.hi;
        const double_word rest = a - b * quotient;
        return ordered_sum(quotient, rest.hi / b.hi);
    }

    friend constexpr double_word operator/(double_word a, T b) noexcept {
        const T quotient = a.hi / b;
        const double_word product = exact_product(quotient, b);
        return ordered_sum(quotient, (((a.hi - product.hi) - product.lo) + a.lo) / b);
    }
};

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

/// value * 2^exponent, rounded once; infinity or zero outside the range. |value| must be 0 or in [2^-31, 2^31].
template <std::floating_point T>
constexpr T scaled(T value, int exponent) noexcept {
    using limits = std::numeric_limits<T>;
    if (exponent < limits::min_exponent - limits::digits - 64) return value < 0 ? -T(0) : T(0);
    if (exponent > limits::max_exponent + 32) exponent = limits::max_exponent + 32;
    // Every factor but the last keeps the number normal, so a subnormal result is rounded once. Overflow is predicted
    // and avoided, because g++ rejects a constant expression that overflows.
    const int first = exponent / 2, last = exponent > 0 ? 64 : 0;
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

/// The double word nearest to a + b + c: one notation of a constant for every floating-point type.
template <std::floating_point T>
constexpr double_word<T> constant(double a, double b, double c) noexcept {
    return double_word<T>(static_cast<T>(a)) + (double_word<T>(static_cast<T>(b)) + static_cast<T>(c));
}

template <std::floating_point T>
inline constexpr double_word<T> pi = constant<T>(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbcp-109);
template <std::floating_point T>
inline constexpr double_word<T> ln2 = constant<T>(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111);
template <std::floating_point T>
inline constexpr double_word<T> two_over_root_pi =
        constant<T>(0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56, -0x1.3cbbebf65f145p-111);

}  // namespace chainrule::constant_evaluation
