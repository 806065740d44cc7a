// SPDX-License-Identifier: BSL-1.0
//
// Values of the elementary functions in constant expressions for clang, which does not evaluate <cmath> there. Each is
// correct to about half a unit in the last place for float, double and long double, with the special values of C's
// annex F. They are used only at compile time; at run time the faster functions of <cmath> are used.
#pragma once

#include <chainrule/functions/constant_hyperbolic.hpp>

namespace chainrule::constant_evaluation {

template <std::floating_point T>
constexpr T exp(T x) noexcept {
    return x != x ? x : rounded<T>(exponential(working_word<T>(x)));
}

template <std::floating_point T>
constexpr T exp2(T x) noexcept {
    constexpr T limit = 2 * std::numeric_limits<T>::max_exponent;
    if (x != x || fabs(x) > limit) return x != x ? x : x < 0 ? T(0) : infinity<T>;
    // The integer part is exact in the exponent.
    const T whole = floor(x + T(0.5));
    auto value = exponential(ln2<working_type<T>> * working_type<T>{x - whole});
    value.exponent += static_cast<int>(whole);
    return rounded<T>(value);
}

/// e^x - 1, accurate also for small x.
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

/// log(1 + x), accurate also for small x.
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
    return square.hi == 0 ? 0 : square_root(square);
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

/// sqrt(x^2 + y^2) without intermediate overflow.
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
    return rounded<T>(scaled_word<wide>{square_root(square), exponent});
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
    // Then |y log x| is outside the range of exponents, however close x is to 1.
    constexpr T bound = 4 * std::numeric_limits<T>::max_exponent / std::numeric_limits<T>::epsilon();
    if (extreme || fabs(y) > bound) return grows ? sign * infinity<T> : sign * 0;
    using word = working_word<T>;
    auto value = exponential(logarithm(word(a)) * word(y));
    if (sign < 0) value.mantissa = -value.mantissa;
    return rounded<T>(value);
}

} // namespace chainrule::constant_evaluation
