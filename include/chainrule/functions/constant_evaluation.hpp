// SPDX-License-Identifier: BSL-1.0
//
// What are the values of the elementary functions in a constant expression? clang does not evaluate <cmath> there.
// Each function below is correct to about half a unit in the last place for float, double and long double, with the
// special values of C's annex F. They serve the compiler, not the running program, which has faster ones in <cmath>.
// Next in the pipeline: functions.hpp, where every function of the calculus has its row.
#pragma once

#include <chainrule/functions/double_word_functions.hpp>

#include <concepts>
#include <limits>
#include <type_traits>

namespace chainrule::constant_evaluation {

/// The type in which T is computed, as a double_word where it matters.
template <std::floating_point T>
using working_type = std::conditional_t<(sizeof(T) < sizeof(double)), double, T>;

template <std::floating_point T>
using working_word = double_word<working_type<T>>;

/// Does f(x) = x + O(x^2) round to x? Asking first keeps products of tiny numbers from underflowing.
template <std::floating_point T>
constexpr bool is_tiny(T x) noexcept {
    constexpr T bound = std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon();
    return x < bound && -x < bound;
}

// The elementary functions.

/// x without its fractional part.
template <std::floating_point T>
constexpr T trunc(T x) noexcept {
    constexpr T unit_one = 1 / std::numeric_limits<T>::epsilon();  // from here on every number is whole
    const T a = fabs(x);
    if (!(a < unit_one)) return x;
    const T nearest = (a + unit_one) - unit_one, whole = nearest > a ? nearest - 1 : nearest;
    return is_negative(x) ? -whole : whole;
}

/// The largest whole number that is not above x.
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

/// The nearest whole number; of two the one further from zero.
template <std::floating_point T>
constexpr T round(T x) noexcept {
    const T whole = trunc(x), rest = x - whole;
    return rest >= T(0.5) ? whole + 1 : rest <= T(-0.5) ? whole - 1 : whole;
}

template <std::floating_point T>
constexpr T copysign(T x, T y) noexcept {
    return is_negative(x) == is_negative(y) ? x : -x;
}

/// x y + z; rounded twice, but exact where z cancels the product.
template <std::floating_point T>
constexpr T fma(T x, T y, T z) noexcept {
    const T plain = x * y + z;
    if (!(fabs(plain) < infinity<T>)) return plain;
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
    // The exact residual says whether y is the nearest: (y + u/2)^2 is never a number of the type.
    constexpr wide unit = std::numeric_limits<wide>::epsilon();
    const wide residual = (working_word<T>(m) - working_word<T>::exact_product(y, y)).hi;
    if (residual > y * unit) y += unit;
    if (residual <= -(y * unit)) y -= unit;
    return rounded<T>(scaled_word<wide>{y, exponent / 2});
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

template <std::floating_point T>
constexpr T exp(T x) noexcept {
    return x != x ? x : rounded<T>(exponential(working_word<T>(x)));
}

template <std::floating_point T>
constexpr T exp2(T x) noexcept {
    constexpr T limit = 2 * std::numeric_limits<T>::max_exponent;
    if (x != x || fabs(x) > limit) return x != x ? x : x < 0 ? T(0) : infinity<T>;
    // The whole part is exact in the exponent.
    const T whole = floor(x + T(0.5));
    auto value = exponential(ln2<working_type<T>> * working_type<T>{x - whole});
    value.exponent += static_cast<int>(whole);
    return rounded<T>(value);
}

/// e^x - 1, also exact for small x.
template <std::floating_point T>
constexpr T expm1(T x) noexcept {
    if (x != x || is_tiny(x)) return x;
    if (x > 150) return exp(x);
    return x < -150 ? T(-1) : rounded<T>(exponential_minus_one(working_word<T>(x)));
}

template <std::floating_point T>
constexpr T log(T x) noexcept {
    if (x == 0) return -infinity<T>;
    if (x < 0) return not_a_number<T>;
    return x < infinity<T> ? rounded<T>(logarithm(working_word<T>(x))) : x;
}

template <std::floating_point T>
constexpr T log2(T x) noexcept {
    if (!(x > 0 && x < infinity<T>)) return log(x);
    return rounded<T>(logarithm(working_word<T>(x)) / ln2<working_type<T>>);
}

template <std::floating_point T>
constexpr T log10(T x) noexcept {
    using word = working_word<T>;
    return x > 0 && x < infinity<T> ? rounded<T>(logarithm(word(x)) / logarithm(word(10))) : log(x);
}

/// log(1 + x), also exact for small x.
template <std::floating_point T>
constexpr T log1p(T x) noexcept {
    if (x == -1) return -infinity<T>;
    if (x < -1) return not_a_number<T>;
    if (is_tiny(x)) return x;
    return x < infinity<T> ? rounded<T>(logarithm(1 + working_word<T>(x))) : x;
}

template <std::floating_point T>
constexpr T sin(T x) noexcept {
    if (is_tiny(x)) return x;
    if (!(fabs(x) < angle_limit<T>)) return not_a_number<T>;
    const auto [angle, quadrant] = reduced(working_type<T>{x});
    return rounded<T>(sine(angle, quadrant));
}

template <std::floating_point T>
constexpr T cos(T x) noexcept {
    if (!(fabs(x) < angle_limit<T>)) return not_a_number<T>;
    const auto [angle, quadrant] = reduced(working_type<T>{x});
    return rounded<T>(sine(angle, quadrant + 1));
}

template <std::floating_point T>
constexpr T tan(T x) noexcept {
    if (is_tiny(x)) return x;
    if (!(fabs(x) < angle_limit<T>)) return not_a_number<T>;
    const auto [angle, quadrant] = reduced(working_type<T>{x});
    return rounded<T>(sine(angle, quadrant) / sine(angle, quadrant + 1));
}

/// sqrt(1 - x^2) for |x| <= 1, the other coordinate on the unit circle.
template <std::floating_point T>
constexpr double_word<T> other_coordinate(T x) noexcept {
    const double_word<T> square = (1 - double_word<T>(x)) * (1 + double_word<T>(x));
    if (square.hi == 0) return 0;
    const T root = sqrt(square.hi);
    return root + (square - double_word<T>::exact_product(root, root)) / (2 * root);
}

template <std::floating_point T>
constexpr T asin(T x) noexcept {
    if (is_tiny(x)) return x;
    const working_type<T> a = fabs(x);
    if (!(a <= 1)) return not_a_number<T>;
    const auto angle = angle_of(working_word<T>(a), other_coordinate(a));
    return rounded<T>(x < 0 ? -angle : angle);
}

template <std::floating_point T>
constexpr T acos(T x) noexcept {
    const working_type<T> a = fabs(x);
    if (!(a <= 1)) return not_a_number<T>;
    const auto angle = angle_of(other_coordinate(a), working_word<T>(a));
    return rounded<T>(x < 0 ? pi<working_type<T>> - angle : angle);
}

template <std::floating_point T>
constexpr T atan(T x) noexcept {
    if (x != x || is_tiny(x)) return x;
    const working_word<T> a = fabs(x);
    // Beyond 2^200 the angle rounds to pi / 2, and the division would overflow.
    const auto angle = a.hi < 0x1p200 ? angle_of(a, working_word<T>(1)) : pi<working_type<T>> / working_type<T>(2);
    return rounded<T>(x < 0 ? -angle : angle);
}

/// The angle of the point (x, y), with the special values of C's annex F, section 10.1.4.
template <std::floating_point T>
constexpr T atan2(T y, T x) noexcept {
    using wide = working_type<T>;
    using word = working_word<T>;
    if (x != x || y != y) return not_a_number<T>;
    const T v = fabs(y), u = fabs(x);
    word angle = 0;
    if (v == infinity<T> && u == infinity<T>)
        angle = pi<wide> / wide(4);
    else if (v == infinity<T> || (u == 0 && v > 0))
        angle = pi<wide> / wide(2);
    else if (u < infinity<T> && v > 0) {
        // Scaled, so that neither overflows.
        const int exponent = normalised(wide{u > v ? u : v}).exponent;
        angle = angle_of(word(scaled(wide{v}, -exponent)), word(scaled(wide{u}, -exponent)));
    }
    if (is_negative(x)) angle = pi<wide> - angle;
    const T value = rounded<T>(angle);
    return is_negative(y) ? -value : value;
}

/// sqrt(x^2 + y^2) without overflow on the way.
template <std::floating_point T>
constexpr T hypot(T x, T y) noexcept {
    using wide = working_type<T>;
    using word = working_word<T>;
    const T u = fabs(x), v = fabs(y), larger = u > v ? u : v;
    if (u == infinity<T> || v == infinity<T>) return infinity<T>;
    if (x != x || y != y) return not_a_number<T>;
    if (larger == 0) return 0;
    const int exponent = normalised(wide{larger}).exponent;
    const wide a = scaled(wide{u}, -exponent), b = scaled(wide{v}, -exponent);
    const word square = word::exact_product(a, a) + word::exact_product(b, b);
    const wide root = sqrt(square.hi);
    return rounded<T>(scaled_word<wide>{root + (square - word::exact_product(root, root)) / (2 * root), exponent});
}

// The hyperbolic functions in terms of q = e^|x| - 1 (Abramowitz and Stegun 4.5.1 to 4.5.3), which keeps sinh and tanh
// exact for small x. From 100 on, e^-|x| is below every rounding error.

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

// The inverse functions of these, with logarithms of 1 + q for small q (Abramowitz and Stegun 4.6.20 to 4.6.22).

/// The square root of a word for positive x, by one step of Newton's method from that of its high part.
template <std::floating_point T>
constexpr double_word<T> square_root(double_word<T> x) noexcept {
    const T root = sqrt(x.hi);
    return root + (x - double_word<T>::exact_product(root, root)) / (2 * root);
}

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
    return rounded<T>(fabs(x) < T(0.4) ? inverse_tangent_series(a, 1) : logarithm((1 + a) / (1 - a)) / working_type<T>(2));
}

template <std::floating_point T>
constexpr T erf(T x) noexcept {
    using wide = working_type<T>;
    if (x != x || x == 0) return x;
    const wide a = fabs(x);
    if (a > 20) return x < 0 ? T(-1) : T(1);
    scaled_word<wide> value = {1, 0};
    if (is_tiny(a)) {
        value = normalised(a);
        value.mantissa = two_over_root_pi<wide> * value.mantissa;
    } else if (a <= 2) {
        value.mantissa = error_function<wide>(a);
    } else {
        const auto [mantissa, exponent] = complementary_error_function(a);
        value.mantissa = 1 - mantissa * power_of_two<wide>(exponent);
    }
    if (x < 0) value.mantissa = -value.mantissa;
    return rounded<T>(value);
}

template <std::floating_point T>
constexpr T erfc(T x) noexcept {
    using wide = working_type<T>;
    if (x != x) return x;
    if (x < -20) return 2;
    if (x > 200) return 0;
    const wide a = fabs(x);
    if (a <= 2) {
        const auto value = is_tiny(a) ? double_word<wide>(0) : error_function<wide>(a);
        return rounded<T>(x < 0 ? 1 + value : 1 - value);
    }
    const auto value = complementary_error_function(a);
    return x > 0 ? rounded<T>(value) : rounded<T>(2 - value.mantissa * power_of_two<wide>(value.exponent));
}

/// x^y = e^(y log x), with the special values of C's annex F, section 10.4.4.
template <std::floating_point T>
constexpr T pow(T x, T y) noexcept {
    if (y == 0 || x == 1) return 1;
    if (x != x) return x;
    if (y != y) return y;
    const T a = fabs(x), half = y / 2;
    const bool whole = trunc(y) == y, odd = whole && trunc(half) != half;
    const T sign = is_negative(x) && odd ? T(-1) : T(1);
    if (a == 1 && (x > 0 || whole)) return sign;
    const bool grows = (a > 1) == (y > 0), extreme = a == 0 || a == infinity<T> || fabs(y) == infinity<T>;
    if (x < 0 && !whole && !extreme) return not_a_number<T>;
    // Then |y log x| is beyond the range of exponents, however close x is to 1.
    constexpr T bound = 4 * std::numeric_limits<T>::max_exponent / std::numeric_limits<T>::epsilon();
    if (extreme || fabs(y) > bound) return grows ? sign * infinity<T> : sign * 0;
    using word = working_word<T>;
    auto value = exponential(logarithm(word(a)) * word(y));
    if (sign < 0) value.mantissa = -value.mantissa;
    return rounded<T>(value);
}

}  // namespace chainrule::constant_evaluation
