// SPDX-License-Identifier: BSL-1.0
//
// Roots, powers and inverse functions of std::complex with numbers that have derivatives, such as dual and active ones.
// Standard libraries have shortcuts and absolute values on the axes there, which keep the values of such numbers and
// lose derivatives. Calls without std:: find the functions of this header.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/functions/rows.hpp>

#include <complex>

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
    const T x = z.real(), y = z.imag();
    if (is_at_zero(z)) return {T(sqrt(x)), T(sqrt(y))};
    // Twice the larger of both parts: a sum without cancellation.
    if (x >= T(0)) {
        const T twice = sqrt(T(2) * (hypot(x, y) + x));
        return {T(twice / T(2)), T(y / twice)};
    }
    const T twice = sqrt(T(2) * (hypot(x, y) - x)), sign = copysign(T(1), y);
    return {T(sign * y / twice), T(sign * twice / T(2))};
}

/// z to the power p: of 0, that of each part, which has the right derivatives for powers of 1 and more.
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> pow(const std::complex<T>& z, const T& p) {
    const T x = z.real(), y = z.imag();
    if (is_at_zero(z)) return {T(pow(x, p)), p == T(0) ? T(0) : T(pow(y, p))};
    const T modulus = pow(T(hypot(x, y)), p), angle = p * atan2(y, x);
    return {T(modulus * cos(angle)), T(modulus * sin(angle))};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> pow(const std::complex<T>& z, const std::complex<T>& p) {
    return is_at_zero(z) ? complex_functions::pow(z, p.real()) : exp(p * log(z));
}

/// Inverse functions: Kahan, "Branch Cuts for Complex Elementary Functions" (1987).
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> asin(const std::complex<T>& z) {
    const std::complex<T> below = complex_functions::sqrt(T(1) - z), above = complex_functions::sqrt(T(1) + z);
    return {T(atan2(z.real(), T((below * above).real()))), T(asinh(T((conj(below) * above).imag())))};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> acos(const std::complex<T>& z) {
    const std::complex<T> below = complex_functions::sqrt(T(1) - z), above = complex_functions::sqrt(T(1) + z);
    return {T(T(2) * atan2(below.real(), above.real())), T(asinh(T((conj(above) * below).imag())))};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> asinh(const std::complex<T>& z) {
    const std::complex<T> turned = complex_functions::asin(std::complex<T>(T(-z.imag()), z.real()));
    return {turned.imag(), T(-turned.real())};
}
template <functions::has_own_rules T>
[[nodiscard]] std::complex<T> acosh(const std::complex<T>& z) {
    const std::complex<T> below = complex_functions::sqrt(z - T(1)), above = complex_functions::sqrt(z + T(1));
    return {T(asinh(T((conj(below) * above).real()))), T(T(2) * atan2(below.imag(), above.real()))};
}

} // namespace complex_functions

#define CHAINRULE_COMPLEX_FUNCTIONS                                                                                    \
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
#undef CHAINRULE_COMPLEX_FUNCTIONS

} // namespace chainrule

#include <chainrule/core/names_end.inc>
