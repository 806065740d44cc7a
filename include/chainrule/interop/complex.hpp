// SPDX-License-Identifier: BSL-1.0
//
// std::complex with numbers that have derivatives, such as dual, active and traced ones: roots, powers and inverse
// functions, and operators with plain numbers. Standard libraries have shortcuts and absolute values on the axes there,
// which keep the values of such numbers and lose derivatives. Calls without std:: find the functions of this header.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/expression/number_properties.hpp>
#include <chainrule/functions/rows.hpp>
#include <chainrule/kernel/numbers.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <concepts>
#include <limits>
#include <type_traits>

namespace chainrule {

namespace complex_functions {

/// Whether a part is 0, in value.
template <class T>
[[nodiscard]] bool is_at_zero(const std::complex<T>& z) {
    return z.real() == T(0) && z.imag() == T(0);
}

/// The principal square root, on the side of the negative axis that the sign of zero states. Its derivatives at 0 are
/// infinite.
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> sqrt(const std::complex<T>& z) {
    using limits = std::numeric_limits<T>; // those of its plain number
    const T x = z.real(), y = z.imag(), infinity(limits::infinity());
    if (is_at_zero(z)) return {T(sqrt(T(x + T(0)))), T(sqrt(y))};
    if (y == infinity) return {infinity, infinity}; // whatever x is
    if (y == -infinity) return {infinity, T(-infinity)};
    // Scaled by a power of two where eighths would lose digits.
    const T tiny(limits::min() / limits::epsilon());
    if (x < tiny && x > -tiny && y < tiny && y > -tiny) {
        const T up(1 / (limits::epsilon() * limits::epsilon())), down(limits::epsilon());
        const std::complex<T> root = complex_functions::sqrt(std::complex<T>(T(x * up), T(y * up)));
        return {T(root.real() * down), T(root.imag() * down)};
    }
    // Twice the larger of both parts: a sum without cancellation, and of eighths, which do not overflow.
    const T eighth = x / T(8), length = hypot(eighth, T(y / T(8)));
    if (x >= T(0)) {
        const T twice = T(4) * sqrt(T(length + eighth));
        return {T(twice / T(2)), T(y / twice)};
    }
    const T twice = T(4) * sqrt(T(length - eighth)), sign = copysign(T(1), y);
    return {T(sign * y / twice), T(sign * twice / T(2))};
}

/// The power of two that brings the larger of two finite numbers near 1, if squares of them would overflow or vanish,
/// or if the caller says so.
template <class T>
struct rescaling {
    bool needed = false;
    T up, down;

    rescaling(const T& x, const T& y, bool whether = false) : up(1), down(1) {
        using limits = std::numeric_limits<T>; // those of its plain number
        using std::abs, std::ilogb, std::ldexp, std::max;
        const auto larger = max(abs(plain_value(x)), abs(plain_value(y))); // nothing is recorded
        const auto square = larger * larger, small = limits::min() / limits::epsilon();
        needed = larger <= limits::max() && (whether || square > 1 / small || square < small);
        if (!needed) return;
        const int exponent = max(ilogb(larger), limits::min_exponent + 0);
        up = T(ldexp(decltype(limits::min())(1), -exponent));
        down = T(ldexp(decltype(limits::min())(1), exponent));
    }
};
/// atan2(y, x): multiplied by a power of two, both have the same angle.
template <functions::has_own_rules T>
[[nodiscard]] T angle_of(const T& y, const T& x) {
    const rescaling<T> by(x, y);
    return by.needed ? atan2(T(y * by.up), T(x * by.up)) : atan2(y, x);
}
/// asinh(x), of whose derivatives no squares overflow.
template <functions::has_own_rules T>
[[nodiscard]] T wide_asinh(const T& x) {
    using limits = std::numeric_limits<T>;
    const T large(1 / (limits::epsilon() * limits::epsilon())); // beyond, asinh(x) = log(2 x) to the last digit
    if (x > large) return T(log(x) + log(T(2)));
    if (x < -large) return T(-log(T(-x)) - log(T(2)));
    return asinh(x);
}

/// z to the power p. Of 0, whole powers are products, which have derivatives of every order by z.
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> pow(const std::complex<T>& z, const T& p) {
    const T x = z.real(), y = z.imag();
    if (is_at_zero(z)) {
        for (int n = 0; n <= 64; ++n)
            if (p == T(n)) return std::pow(z, n);
        return {T(pow(x, p)), T(pow(y, p))};
    }
    const auto in_polar_form = [&p](const T& re, const T& im, const T& modulus) -> std::complex<T> {
        const T angle = p * atan2(im, re);
        return {T(modulus * cos(angle)), T(modulus * sin(angle))};
    };
    using limits = std::numeric_limits<T>;
    const T modulus = pow(T(hypot(x, y)), p), least(limits::min() / limits::epsilon());
    const rescaling<T> by(x, y, !(modulus > least && modulus <= T(limits::max())));
    if (!by.needed) return in_polar_form(x, y, modulus);
    const T near_one = x * by.up, beside = y * by.up;
    const std::complex<T> power = in_polar_form(near_one, beside, pow(T(hypot(near_one, beside)), p));
    // In two steps: the value may vanish where the derivative, which is larger or smaller by |z|, does not.
    const T rest = pow(by.down, T(p - T(1)));
    return {T(T(power.real() * by.down) * rest), T(T(power.imag() * by.down) * rest)};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> pow(const std::complex<T>& z, const std::complex<T>& p) {
    return is_at_zero(z) ? complex_functions::pow(z, p.real()) : exp(p * log(z));
}
// With a plain number, or a formula of numbers: the standard library has a power of an int, to which they would
// convert.
template <functions::has_own_rules T, class P>
requires(std::floating_point<P> || (functions::has_own_rules<P> && !std::same_as<P, T>))
[[nodiscard]] std::complex<T> pow(const std::complex<T>& z, const P& p) {
    return complex_functions::pow(z, T(p));
}
template <functions::has_own_rules T, std::floating_point P>
[[nodiscard]] std::complex<T> pow(const std::complex<T>& z, const std::complex<P>& p) {
    return complex_functions::pow(z, std::complex<T>(T(p.real()), T(p.imag())));
}
template <class B, functions::has_own_rules T>
requires std::is_arithmetic_v<B>
[[nodiscard]] std::complex<T> pow(const B& base, const std::complex<T>& p) {
    return complex_functions::pow(std::complex<T>(T(base)), p);
}

/// Inverse functions: Kahan, "Branch Cuts for Complex Elementary Functions" (1987).
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> asin(const std::complex<T>& z) {
    const std::complex<T> below = complex_functions::sqrt(T(1) - z), above = complex_functions::sqrt(T(1) + z);
    return {angle_of(z.real(), T((below * above).real())), wide_asinh(T((conj(below) * above).imag()))};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> acos(const std::complex<T>& z) {
    const std::complex<T> below = complex_functions::sqrt(T(1) - z), above = complex_functions::sqrt(T(1) + z);
    return {T(T(2) * angle_of(below.real(), above.real())), wide_asinh(T((conj(above) * below).imag()))};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> asinh(const std::complex<T>& z) {
    const std::complex<T> turned = complex_functions::asin(std::complex<T>(T(-z.imag()), z.real()));
    return {turned.imag(), T(-turned.real())};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> acosh(const std::complex<T>& z) {
    const std::complex<T> below = complex_functions::sqrt(z - T(1)), above = complex_functions::sqrt(z + T(1));
    return {wide_asinh(T((conj(below) * above).real())), T(T(2) * angle_of(below.imag(), above.real()))};
}

// With plain numbers, real and complex: the operators of the standard library take numbers of one type.
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator+(const std::complex<T>& z, const P& p) {
    return {T(z.real() + p), z.imag()};
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator+(const P& p, const std::complex<T>& z) {
    return z + p;
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator-(const std::complex<T>& z, const P& p) {
    return {T(z.real() - p), z.imag()};
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator-(const P& p, const std::complex<T>& z) {
    return {T(p - z.real()), T(-z.imag())};
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator*(const std::complex<T>& z, const P& p) {
    return {T(z.real() * p), T(z.imag() * p)};
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator*(const P& p, const std::complex<T>& z) {
    return z * p;
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator/(const std::complex<T>& z, const P& p) {
    return {T(z.real() / p), T(z.imag() / p)};
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P>
[[nodiscard]] constexpr std::complex<T> operator/(const P& p, const std::complex<T>& z) {
    return T(p) / z;
}
template <class P, functions::has_own_rules T>
requires std::is_arithmetic_v<P> && requires(const T& x, const P& p) {
    { x == p } -> std::same_as<bool>; // not of traced numbers
}
[[nodiscard]] constexpr bool operator==(const std::complex<T>& z, const P& p) {
    return z.real() == p && z.imag() == P(0);
}
template <std::floating_point P, functions::has_own_rules T>
requires requires(const T& x, const P& p) {
    { x == p } -> std::same_as<bool>;
}
[[nodiscard]] constexpr bool operator==(const std::complex<T>& z, const std::complex<P>& p) {
    return z.real() == p.real() && z.imag() == p.imag();
}
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    template <std::floating_point P, functions::has_own_rules T>                                                       \
    [[nodiscard]] constexpr std::complex<T> operator SYMBOL(const std::complex<T>& z, const std::complex<P>& p) {      \
        return z SYMBOL std::complex<T>(T(p.real()), T(p.imag()));                                                     \
    }                                                                                                                  \
    template <std::floating_point P, functions::has_own_rules T>                                                       \
    [[nodiscard]] constexpr std::complex<T> operator SYMBOL(const std::complex<P>& p, const std::complex<T>& z) {      \
        return std::complex<T>(T(p.real()), T(p.imag())) SYMBOL z;                                                     \
    }
CHAINRULE_OPERATOR(+)
CHAINRULE_OPERATOR(-)
CHAINRULE_OPERATOR(*)
CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR

/// The number with derivatives that X is, or that it becomes where it is a formula of active numbers; else void.
template <class X>
consteval auto number_with_derivatives() {
    if constexpr (!requires { typename X::chainrule_expression; } || expressions::is_active<X>) {
        return std::type_identity<X>{};
    } else {
        using number = typename kernel::stored_number<X>::type;
        return std::type_identity<std::conditional_t<expressions::is_active<number>, number, void>>{};
    }
}
template <class X>
using number_of = typename decltype(number_with_derivatives<X>())::type;

// A real number with derivatives and a plain complex one. (Their product takes two multiplications.)
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    template <functions::has_own_rules X, std::floating_point P>                                                       \
    requires functions::has_own_rules<number_of<X>>                                                                    \
    [[nodiscard]] constexpr std::complex<number_of<X>> operator SYMBOL(const X & x, const std::complex<P>& p) {        \
        return std::complex<number_of<X>>(number_of<X>(x)) SYMBOL p;                                                   \
    }                                                                                                                  \
    template <functions::has_own_rules X, std::floating_point P>                                                       \
    requires functions::has_own_rules<number_of<X>>                                                                    \
    [[nodiscard]] constexpr std::complex<number_of<X>> operator SYMBOL(const std::complex<P>& p, const X & x) {        \
        return p SYMBOL std::complex<number_of<X>>(number_of<X>(x));                                                   \
    }
CHAINRULE_OPERATOR(+)
CHAINRULE_OPERATOR(-)
CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR
template <functions::has_own_rules X, std::floating_point P>
requires functions::has_own_rules<number_of<X>>
[[nodiscard]] constexpr std::complex<number_of<X>> operator*(const X& x, const std::complex<P>& p) {
    const number_of<X> number(x);
    return {number_of<X>(number * p.real()), number_of<X>(number * p.imag())};
}
template <functions::has_own_rules X, std::floating_point P>
requires functions::has_own_rules<number_of<X>>
[[nodiscard]] constexpr std::complex<number_of<X>> operator*(const std::complex<P>& p, const X& x) {
    return x * p;
}

} // namespace complex_functions

// Argument-dependent lookup finds them in the namespaces of the types of numbers.
#define CHAINRULE_COMPLEX_OPERATORS                                                                                    \
    using complex_functions::operator+;                                                                                \
    using complex_functions::operator-;                                                                                \
    using complex_functions::operator*;                                                                                \
    using complex_functions::operator/;                                                                                \
    using complex_functions::operator==;
#define CHAINRULE_COMPLEX_FUNCTIONS                                                                                    \
    CHAINRULE_COMPLEX_OPERATORS                                                                                        \
    using complex_functions::acos;                                                                                     \
    using complex_functions::acosh;                                                                                    \
    using complex_functions::asin;                                                                                     \
    using complex_functions::asinh;                                                                                    \
    using complex_functions::pow;                                                                                      \
    using complex_functions::sqrt;
CHAINRULE_COMPLEX_FUNCTIONS
namespace tape {
CHAINRULE_COMPLEX_FUNCTIONS
}
namespace tracing { // whose numbers take no branches, as those functions have
CHAINRULE_COMPLEX_OPERATORS
}
#undef CHAINRULE_COMPLEX_FUNCTIONS
#undef CHAINRULE_COMPLEX_OPERATORS

} // namespace chainrule

#include <chainrule/core/names_end.inc>
