// SPDX-License-Identifier: BSL-1.0
//
// Reads numeric literals such as 0.1_c: as an exact fraction if 64-bit integers suffice, otherwise as the nearest sum
// of two doubles. expression/variable.hpp defines the operator _c.
#pragma once

#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/natural.hpp>

namespace chainrule::expressions {

/// magnitude * 10^decimal_exponent * 2^binary_exponent.
struct number_literal {
    natural magnitude{0};
    int decimal_exponent = 0;
    int binary_exponent = 0;
};

constexpr int digit_value(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

/// Reads a C++ literal: decimal, hexadecimal, octal or binary, with digit separators, a point and an exponent. A
/// template, so that only programs with literals pay for it.
template <class Literal = number_literal>
[[nodiscard]] constexpr Literal read_literal(const char* text, int size) {
    int base = 10, i = 0;
    bool real = false;
    if (size > 1 && text[0] == '0') {
        const char mark = static_cast<char>(text[1] | 32);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        if (base != 8) i = 2;
    }
    for (int k = i; k < size; ++k) real = real || text[k] == '.' || (base != 16 && (text[k] == 'e' || text[k] == 'E'));
    if (base == 8 && real) base = 10;

    Literal n;
    int& exponent = base == 10 ? n.decimal_exponent : n.binary_exponent;
    const int per_digit = base == 10 || base == 2 ? 1 : base == 8 ? 3 : 4;
    const char mark = base == 16 ? 'p' : 'e';
    bool point = false, more = false;
    for (; i < size && (text[i] | 32) != mark; ++i) {
        if (text[i] == '\'') continue;
        if (text[i] == '.') {
            point = true;
            continue;
        }
        const auto digit = static_cast<std::uint32_t>(digit_value(text[i]));
        // After 150 digits, the rest only shows whether the number is greater than the digits before.
        if (n.magnitude.bit_width() < 500) {
            n.magnitude.multiply(static_cast<std::uint32_t>(base), digit);
            exponent -= point ? per_digit : 0;
        } else {
            more = more || digit != 0;
            exponent += point ? 0 : per_digit;
        }
    }
    if (more) {
        n.magnitude.multiply(static_cast<std::uint32_t>(base), 1);
        exponent -= per_digit;
    }
    int written = 0;
    bool negative = false;
    for (++i; i < size; ++i) {
        if (text[i] == '-') negative = true;
        if ('0' <= text[i] && text[i] <= '9' && written < 100000) written = written * 10 + (text[i] - '0');
    }
    exponent += negative ? -written : written;
    return n;
}

/// The sum of two doubles nearest to n / d, times 2^exponent. Outside the range of double: infinity or zero.
[[nodiscard]] constexpr double_word nearest_double_word(natural n, natural d, int exponent) {
    // n / d * 2^shift is at least 1/2 and below 2; then at least 1 and below 2.
    int shift = d.bit_width() - n.bit_width();
    (shift > 0 ? n : d).shift(shift > 0 ? shift : -shift);
    if (n.compare(d) < 0) {
        n.shift(1);
        ++shift;
    }
    exponent -= shift;
    if (exponent > 1023) return {std::numeric_limits<double>::infinity(), 0};
    if (exponent < -1075) return {0, 0};
    std::uint64_t quotient[2] = {};
    for (int i = 0; i < 128; ++i) {
        const bool bit = n.compare(d) >= 0;
        if (bit) n.subtract(d);
        quotient[i / 64] = quotient[i / 64] * 2 + (bit ? 1 : 0);
        n.shift(1);
    }
    const bool more = n.bit_width() != 0;
    // The first double: the leading 53 bits, or fewer if it is subnormal; halves to even.
    const int digits = exponent >= -1022 ? 53 : 53 + (exponent + 1022);
    const int dropped_bits = 64 - digits;
    const std::uint64_t unit = dropped_bits < 64 ? std::uint64_t{1} << dropped_bits : 0;
    std::uint64_t leading = dropped_bits < 64 ? quotient[0] >> dropped_bits : 0;
    const std::uint64_t dropped = quotient[0] & (unit - 1), half = std::uint64_t{1} << (dropped_bits - 1);
    const bool up = dropped > half || (dropped == half && (quotient[1] != 0 || more || (leading & 1) != 0));
    if (up) ++leading;
    if (exponent == 1023 && leading == std::uint64_t{1} << 53) return {std::numeric_limits<double>::infinity(), 0};
    const auto scaled = [](double value, int power) {
        for (; power > 0; --power) value *= 2;
        for (; power < 0; ++power) value /= 2;
        return value;
    };
    // An integer of at most 53 bits, scaled to a number with that many digits: exact.
    const double high = scaled(static_cast<double>(leading), exponent - 63 + dropped_bits);
    if (digits < 53) return {high, 0};
    // The remainder in units of 2^-53 of the last dropped bit, as a 64-bit number, whose last bit is set if there is
    // more.
    std::uint64_t rest = dropped << 53 | quotient[1] >> 11;
    if (up) rest = 0 - rest;
    if ((quotient[1] & 2047) != 0 || more) rest |= 1;
    const double low = scaled(static_cast<double>(rest), exponent - 63 - 53);
    return {high, up ? -low : low};
}

/// The constant that a literal denotes.
[[nodiscard]] constexpr coefficient value_of(number_literal l) {
    if (l.magnitude.bit_width() == 0) return 0;
    // Outside the range of double in any case; tested here so that no natural number overflows.
    const int magnitude = l.magnitude.bit_width() * 3 / 10 + l.decimal_exponent + l.binary_exponent * 3 / 10;
    if (magnitude > 400) return double_word(std::numeric_limits<double>::infinity());
    if (magnitude < -400) return double_word(0);
    natural denominator(1);
    (l.decimal_exponent < 0 ? denominator : l.magnitude)
        .multiply_by_power_of_ten(l.decimal_exponent < 0 ? -l.decimal_exponent : l.decimal_exponent);
    // In lowest terms: 2 and 5 are the only factors of the denominator.
    int exponent = l.binary_exponent;
    natural n = l.magnitude, d = denominator;
    for (std::uint32_t factor = 2; factor <= 5; factor += 3)
        for (int k = l.decimal_exponent; k < 0; ++k) {
            natural quotient = n;
            if (quotient.divide(factor) != 0) break;
            n = quotient;
            (void)d.divide(factor);
        }
    for (; exponent < 0 && (n.value() & 1) == 0; ++exponent) (void)n.divide(2);
    for (; exponent > 0 && (d.value() & 1) == 0; --exponent) (void)d.divide(2);
    const int n_bits = n.bit_width() + (exponent > 0 ? exponent : 0),
              d_bits = d.bit_width() - (exponent < 0 ? exponent : 0);
    if (n_bits <= 63 && d_bits <= 63) {
        if (exponent > 0) n.shift(exponent);
        if (exponent < 0) d.shift(-exponent);
        return coefficient::fraction(static_cast<integer>(n.value()), static_cast<integer>(d.value()));
    }
    return nearest_double_word(l.magnitude, denominator, l.binary_exponent);
}

} // namespace chainrule::expressions
