// SPDX-License-Identifier: BSL-1.0
//
// exp, log, sin, arctan, erf and erfc in constant expressions, to more than working precision: textbook series after
// argument reduction. The other functions build on these six.
#pragma once

#include <chainrule/functions/scaled_word.hpp>

#include <concepts>
#include <cstdint>
#include <limits>

namespace chainrule::constant_evaluation {

// Series. The later terms are small, so they are summed in working precision, and only the first terms (`heads`) as
// double words; `terms` is the number of terms that the precision of T requires.

/// 1 + z/d(1) + z^2/(d(1) d(2)) + ..., where d(n) is exact in T.
template <std::floating_point T>
constexpr double_word<T> quotient_series(double_word<T> z, auto divisor, int heads, int terms) noexcept {
    T tail = 1;
    for (int n = terms; n > heads; --n) tail = 1 + z.hi / static_cast<T>(divisor(n)) * tail;
    double_word<T> sum = tail;
    for (int n = heads; n > 0; --n) sum = 1 + z / static_cast<T>(divisor(n)) * sum;
    return sum;
}

/// t + s t^3/3 + t^5/5 + s t^7/7 + ..., for |t| < 0.42: artanh(t) for s = 1, arctan(t) for s = -1
/// (Abramowitz and Stegun 4.6.22, 4.4.42).
template <std::floating_point T>
constexpr double_word<T> inverse_tangent_series(double_word<T> t, int sign) noexcept {
    const double_word<T> z = t * t * static_cast<T>(sign);
    constexpr int heads = 6, terms = 6 + std::numeric_limits<T>::digits / 2;
    T tail = 0;
    for (int n = terms; n >= heads; --n) tail = 1 / static_cast<T>(2 * n + 1) + z.hi * tail;
    double_word<T> sum = tail;
    for (int n = heads - 1; n >= 0; --n) sum = double_word<T>(1) / static_cast<T>(2 * n + 1) + z * sum;
    return t * sum;
}

// The functions on double words, on the required part of their domain.

/// e^x - 1 for |x| <= ln(2) / 2 (Abramowitz and Stegun 4.2.1).
template <std::floating_point T>
constexpr double_word<T> reduced_exponential_minus_one(double_word<T> x) noexcept {
    return x * quotient_series(x, [](int n) { return n + 1; }, 8, 6 + std::numeric_limits<T>::digits / 4);
}

template <std::floating_point T>
constexpr int nearest_power_of_two(double_word<T> x) noexcept {
    return static_cast<int>(x.hi / ln2<T>.hi + (x.hi < 0 ? T(-0.5) : T(0.5)));
}

/// e^x; outside the range of T a number that rounds to infinity or zero.
template <std::floating_point T>
constexpr scaled_word<T> exponential(double_word<T> x) noexcept {
    constexpr int limit = 2 * std::numeric_limits<T>::max_exponent;
    if (x.hi > limit || -x.hi > limit) return {1, x.hi < 0 ? -2 * limit : 2 * limit};
    const int k = nearest_power_of_two(x);
    return {1 + reduced_exponential_minus_one(x - ln2<T> * static_cast<T>(k)), k};
}

/// e^x - 1 for |x| < 200.
template <std::floating_point T>
constexpr double_word<T> exponential_minus_one(double_word<T> x) noexcept {
    const int k = nearest_power_of_two(x);
    const double_word<T> reduced = reduced_exponential_minus_one(x - ln2<T> * static_cast<T>(k));
    return k == 0 ? reduced : (1 + reduced) * power_of_two<T>(k) - 1;
}

/// log(x) for positive x.
template <std::floating_point T>
constexpr double_word<T> logarithm(double_word<T> x) noexcept {
    auto [mantissa, exponent] = normalised(x.hi);
    if (x.lo != 0) mantissa.lo = x.lo * power_of_two<T>(-exponent);
    if (mantissa.hi > T(1.4142)) {
        mantissa = mantissa * T(0.5);
        ++exponent;
    }
    return ln2<T> * static_cast<T>(exponent) + inverse_tangent_series((mantissa - 1) / (mantissa + 1), 1) * 2;
}

template <std::floating_point T>
struct reduced_angle {
    double_word<T> angle;
    unsigned quadrant;
};

/// Arguments of the trigonometric functions must be below this in magnitude. All doubles are; storing the digits of
/// 2/pi that a larger long double needs is not worthwhile.
template <std::floating_point T>
inline constexpr T angle_limit = [] {
    if constexpr (std::numeric_limits<T>::max_exponent > 1088) return power_of_two<T>(1088);
    return std::numeric_limits<T>::infinity();
}();

/// x - quadrant pi/2 in [-pi/4, pi/4], for |x| < angle_limit (Payne and Hanek, "Radian reduction for trigonometric
/// functions", 1983).
template <std::floating_point T>
constexpr reduced_angle<T> reduced(T x) noexcept {
    constexpr std::uint32_t two_over_pi[] = {
        0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
        0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
        0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
        0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
        0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
    constexpr int words = std::numeric_limits<T>::digits / 32 + 2, columns = words + 2;

    T a = x < 0 ? -x : x;
    if (a < T(0.785398)) return {x, 0};
    const auto [mantissa, exponent] = normalised(a);
    const int shift = exponent / 32;
    // Long multiplication in base 2^32 of a by 2/pi. Column 0 holds the units; higher columns, multiples of 2^32
    // quarter turns, are not computed.
    a = mantissa.hi * power_of_two<T>(exponent % 32);
    std::uint64_t column[unsigned{columns + 1}]{};
    for (int i = 0; i < words; ++i) {
        const std::uint32_t word = static_cast<std::uint32_t>(a);
        a = (a - static_cast<T>(word)) * power_of_two<T>(32);
        for (int c = columns; c >= 0; --c) {
            const int digit = shift - 1 + c - i;
            if (digit < 0) break;
            const std::uint64_t product = std::uint64_t{word} * two_over_pi[digit];
            column[c] += product & 0xffffffff;
            if (c > 0) column[c - 1] += product >> 32;
        }
    }
    for (int c = columns; c > 0; --c) column[c - 1] += column[c] >> 32;
    const bool up = (column[1] & 0x80000000) != 0;
    double_word<T> fraction = 0;
    for (int c = columns; c > 0; --c) {
        const std::uint64_t word = (up ? ~column[c] : column[c]) & 0xffffffff;
        fraction = fraction + static_cast<T>(word);
        fraction = {fraction.hi * power_of_two<T>(-32), fraction.lo * power_of_two<T>(-32)};
    }
    const unsigned quadrant = static_cast<unsigned>(column[0] & 3) + (up ? 1 : 0);
    const double_word<T> angle = fraction * pi<T> / T(2);
    return {up != (x < 0) ? -angle : angle, x < 0 ? 4 - quadrant % 4 : quadrant};
}

/// sin(angle + quadrant pi/2) (Abramowitz and Stegun 4.3.65, 4.3.66).
template <std::floating_point T>
constexpr double_word<T> sine(double_word<T> angle, unsigned quadrant) noexcept {
    constexpr int heads = 3, terms = 6 + std::numeric_limits<T>::digits / 8;
    const double_word<T> z = -(angle * angle);
    const double_word<T> value = quadrant % 2 == 0
                                     ? angle * quotient_series(
                                                   z, [](int n) { return 2 * n * (2 * n + 1); }, heads, terms)
                                     : quotient_series(z, [](int n) { return (2 * n - 1) * (2 * n); }, heads, terms);
    return quadrant % 4 < 2 ? value : -value;
}

/// The angle in [0, pi/2] whose tangent is y / x, for x, y >= 0 (Abramowitz and Stegun 4.4.34).
template <std::floating_point T>
constexpr double_word<T> angle_of(double_word<T> y, double_word<T> x) noexcept {
    constexpr T tangent_of_an_eighth = T(0.41421);
    if (y.hi < tangent_of_an_eighth * x.hi) return inverse_tangent_series(y / x, -1);
    if (x.hi < tangent_of_an_eighth * y.hi) return pi<T> / T(2) - inverse_tangent_series(x / y, -1);
    return pi<T> / T(4) + inverse_tangent_series((y - x) / (y + x), -1);
}

/// erf(x) for 0 <= x <= 2 (Abramowitz and Stegun 7.1.6).
template <std::floating_point T>
constexpr double_word<T> error_function(double_word<T> x) noexcept {
    const double_word<T> z = x * x;
    const auto [mantissa, exponent] = exponential(-z);
    return two_over_root_pi<T> * x * mantissa * power_of_two<T>(exponent) *
           quotient_series(z, [](int n) { return T(n) + T(0.5); }, 18, 14 + std::numeric_limits<T>::digits / 2);
}

/// erfc(x) for x >= 2 (Abramowitz and Stegun 7.1.14).
template <std::floating_point T>
constexpr scaled_word<T> complementary_error_function(T x) noexcept {
    constexpr int heads = 10, digits = std::numeric_limits<T>::digits, terms = 10 + digits * digits / 40;
    T tail = 0;
    for (int n = terms; n > heads; --n) tail = T(0.5) * static_cast<T>(n) / (x + tail);
    double_word<T> fraction = tail;
    for (int n = heads; n > 0; --n) fraction = T(0.5) * static_cast<T>(n) / (x + fraction);
    const auto [mantissa, exponent] = exponential(-double_word<T>::exact_product(x, x));
    return {two_over_root_pi<T> * mantissa / ((x + fraction) * 2), exponent};
}

} // namespace chainrule::constant_evaluation
