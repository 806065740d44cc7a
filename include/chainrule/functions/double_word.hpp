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
template <class T>
struct double_word {
    T hi{};
    T lo{};

    [[gnu::always_inline]] constexpr double_word(T high, T low = 0) noexcept : hi(high), lo(low) {}

    /// The number exactly if it has at most twice the digits, such as every 64-bit integer as two doubles.
    template <class N>
    static constexpr double_word nearest(N number) noexcept {
        if constexpr (std::integral<N>) {
            constexpr auto unit = static_cast<N>(1ULL << 32);
            return ordered_sum(static_cast<T>(number / unit) * static_cast<T>(unit), static_cast<T>(number % unit));
        } else {
            const T high = static_cast<T>(number);
            return {high, static_cast<T>(number - static_cast<N>(high))};
        }
    }

    /// a + b exactly, for |a| >= |b|.
    static constexpr double_word ordered_sum(T a, T b) noexcept {
        const T sum = a + b;
        return {sum, b - (sum - a)};
    }

    /// a + b exactly; also of lanes.
    [[gnu::always_inline]] static constexpr double_word exact_sum(T a, T b) noexcept {
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

} // namespace chainrule::constant_evaluation
