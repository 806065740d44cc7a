// SPDX-License-Identifier: BSL-1.0
//
// The exact constant for a plain number in traced code: the decimal that was written, if a decimal of at most 15 digits
// reads as that number, and otherwise the number itself.
#pragma once

#include <chainrule/expression/number_literal.hpp>

namespace chainrule::tracing {

/// The decimal of at most 15 digits that equals `digits` * 10^exponent up to one unit, and reads as `magnitude`; 0 if
/// there is none.
[[nodiscard]] constexpr core::coefficient decimal_near(std::int64_t digits, int exponent, double magnitude) {
    constexpr int units[] = {0, -1, 1};
    for (const int unit : units) {
        std::int64_t n = digits + unit;
        int e = exponent;
        for (; n % 10 == 0 && n > 0; n /= 10) ++e;
        const core::coefficient c = expressions::value_of({core::natural(static_cast<std::uint64_t>(n)), e, 0});
        if (c.as<double>() == magnitude) return c;
    }
    return 0;
}

/// The same for a number far from 1.
[[nodiscard]] constexpr core::coefficient far_decimal(double magnitude) {
    double scaled = magnitude;
    int exponent = 0;
    for (; scaled >= 1e30; scaled /= 1e15) exponent += 15;
    for (; scaled >= 1e15; scaled /= 10) ++exponent;
    for (; scaled < 1; scaled *= 1e14) exponent -= 14;
    for (; scaled < 1e14; scaled *= 10) --exponent;
    return decimal_near(static_cast<std::int64_t>(scaled + 0.5), exponent, magnitude);
}

/// digits / power in lowest terms, with the least possible power of ten: 2 and 5 do
/// not both divide the digits. (Euclid's algorithm would take ten steps, and code may have thousands of decimals.)
[[nodiscard]] constexpr core::coefficient decimal_fraction(std::int64_t digits, std::int64_t power) {
    if (const std::int64_t two = digits & -digits; two != 1) {
        const std::int64_t most = power & -power, factor = two < most ? two : most;
        return core::coefficient::in_lowest_terms(digits / factor, power / factor);
    }
    while (digits % 5 == 0 && power % 5 == 0) digits /= 5, power /= 5;
    return core::coefficient::in_lowest_terms(digits, power);
}

[[nodiscard]] constexpr core::coefficient exact_magnitude(double magnitude) {
    if (!(magnitude <= std::numeric_limits<double>::max())) return core::double_word(magnitude);
    if (magnitude < 0x1p53 && static_cast<double>(static_cast<std::int64_t>(magnitude)) == magnitude)
        return static_cast<std::int64_t>(magnitude);
    // A fraction of integers that doubles hold exactly: its quotient is the double nearest to it.
    // (One statement for each power: clang counts them.)
    double power = 10, scaled = magnitude < 1e15 ? magnitude * 10 : magnitude;
    while (power < 1e18 && scaled < 1e15 &&
           static_cast<double>(static_cast<std::int64_t>(scaled + 0.5)) / power != magnitude)
        power *= 10, scaled = magnitude * power;
    if (scaled < 1e15 && static_cast<double>(static_cast<std::int64_t>(scaled + 0.5)) / power == magnitude)
        return decimal_fraction(static_cast<std::int64_t>(scaled + 0.5), static_cast<std::int64_t>(power));
    if (magnitude < 1e-3 || magnitude >= 0x1p53) {
        const core::coefficient c = far_decimal(magnitude);
        if (!c.is_zero()) return c;
    }
    return core::double_word(magnitude);
}

/// The constant for the number high + low, where low is at most a rounding error of high.
[[nodiscard]] constexpr core::coefficient exact_value(double high, double low) {
    if (low != 0) return core::double_word(high, low);
    return high < 0 ? -exact_magnitude(-high) : exact_magnitude(high);
}

} // namespace chainrule::tracing
