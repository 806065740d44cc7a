// SPDX-License-Identifier: BSL-1.0
//
// Writes a number with the fewest decimal digits that read back as the same number, also at compile time, where neither
// <charconv> nor <cstdio> can be called.
#pragma once

#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/natural.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace chainrule::detail {

// Without statements for each character, which clang limits (print/program_writer.hpp).
constexpr void copy_characters(char* to, const char* from, int length) {
#if defined(__clang__)
    __builtin_memcpy(to, from, static_cast<std::size_t>(length));
#else
    for (int i = 0; i < length; ++i) to[i] = from[i];
#endif
}

/// The text of one constant or number.
struct number_text {
    char characters[44] = {}; // a fraction of 64-bit integers has at most 42
    int size = 0;
    bool fraction = false; // written as a quotient, which affects parentheses around it
    int exponent = 0;      // the position of the e of 1.5e-7, if any

    [[nodiscard]] constexpr bool negative() const { return characters[0] == '-'; }
    constexpr void put(char c) { characters[size++] = c; }
    constexpr void put(const char* text, int length) {
        copy_characters(characters + size, text, length);
        size += length;
    }
    constexpr void put(const char* text) { put(text, static_cast<int>(__builtin_strlen(text))); }
    constexpr void put(std::uint64_t value) {
        char digits[20] = {};
        int first = 20;
        for (; value > 9; value /= 10) digits[--first] = static_cast<char>('0' + value % 10);
        digits[--first] = static_cast<char>('0' + value);
        put(digits + first, 20 - first);
    }
};

/// The number 0.d1d2...dn times 10 to the power `point`, where d1 d2 ... dn are decimal digits.
struct decimal {
    number_text digits;
    int point = 0;
};

// The functions are templates, so that only programs that print pay for them.

/// Writes a decimal in plain notation if that is short, otherwise as in 1.5e-7: at most 23 characters for 17 digits.
template <class Text>
constexpr void put_decimal(Text& to, const decimal& d) {
    const char* const digits = d.digits.characters;
    const int count = d.digits.size;
    if (d.point > 17 || d.point < -4) {
        to.put(digits[0]);
        if (count > 1) {
            to.put('.');
            to.put(digits + 1, count - 1);
        }
        const int exponent = d.point - 1;
        to.exponent = to.size;
        to.put(exponent < 0 ? "e-" : "e");
        to.put(static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
        return;
    }
    constexpr const char* zeros = "00000000000000000";
    if (d.point <= 0) {
        to.put("0.");
        to.put(zeros, -d.point);
        to.put(digits, count);
    } else if (d.point < count) {
        to.put(digits, d.point);
        to.put('.');
        to.put(digits + d.point, count - d.point);
    } else {
        to.put(digits, count);
        to.put(zeros, d.point - count);
    }
}

/// A natural number times 2^exponent times 10^power, without its fraction: below 2^64.
struct scaled_number {
    std::uint64_t whole = 0;
    bool exact = true; // it has no fraction
};
template <class Natural>
[[nodiscard]] constexpr scaled_number scaled(std::uint64_t number, int exponent, int power) {
    Natural all(number);
    if (power >= 0) all.multiply_by_power_of_ten(power);
    if (exponent > 0) all.shift(exponent);
    const bool exact = power >= 0 || all.divide_by_power_of_ten(-power);
    const int bits = exponent < 0 ? -exponent : 0;
    return {all.quotient_by_power_of_two(bits), exact && !all.has_bits_below(bits)};
}

/// The shortest decimal, and among these the nearest, that reads back as mantissa * 2^exponent in the same binary
/// precision. `narrow`: the next lower number is only half as far away as the next higher one. The decimals are those
/// of the algorithm of Steele and White (1990) as Burger and Dybvig (1996) give it, but long arithmetic scales three
/// numbers instead of computing each digit: clang limits the steps of constant evaluation.
template <class Natural = natural>
[[nodiscard]] constexpr decimal shortest(std::uint64_t mantissa, int exponent, bool narrow) {
    // In units in which the value has 18 or 19 digits, so that the interval of numbers that read back as it has ten.
    const int magnitude = exponent + static_cast<int>(std::bit_width(mantissa)) - 1;
    const int power = 17 - (magnitude * 30103 / 100000 - (magnitude < 0 ? 1 : 0));
    const auto in_units = [&](std::uint64_t quarters) { return scaled<Natural>(quarters, exponent - 2, power); };
    const scaled_number value = in_units(4 * mantissa), below = in_units(4 * mantissa - (narrow ? 1 : 2)),
                        above = in_units(4 * mantissa + 2);
    const bool even = mantissa % 2 == 0; // then the ends of the interval also read back as value
    const std::uint64_t least = below.exact && even ? below.whole : below.whole + 1;
    const std::uint64_t most = above.exact && !even ? above.whole - 1 : above.whole;
    int zeros = 0;
    std::uint64_t unit = 1; // the largest power of ten of which a multiple is in the interval
    for (; zeros < 18 && most / (10 * unit) * (10 * unit) >= least; unit *= 10) ++zeros;
    std::uint64_t digits = value.whole / unit;
    const std::uint64_t rest = value.whole % unit;
    const bool may_stop = digits * unit >= least, may_round_up = (digits + 1) * unit <= most;
    const bool above_half = rest > unit - rest || (rest == unit - rest && !value.exact),
               is_half = rest == unit - rest && value.exact;
    if (!may_stop || (may_round_up && (above_half || (is_half && digits % 2 != 0)))) ++digits;
    decimal d;
    d.digits.put(digits);
    d.point = d.digits.size + zeros - power;
    return d;
}

template <class Text, class T>
constexpr void put_floating(Text& to, T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int digits = std::numeric_limits<T>::digits, least = std::numeric_limits<T>::min_exponent - digits;
    constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1), hidden = Bits{1} << (digits - 1);
    const Bits bits = std::bit_cast<Bits>(value);
    const Bits mantissa = bits & (hidden - 1), exponent = (bits & ~sign) >> (digits - 1);
    if (value != value) {
        to.put("nan");
        return;
    }
    if ((bits & sign) != 0) to.put('-');
    if (value == 0)
        to.put((bits & sign) != 0 ? "0.0" : "0"); // as an integer, -0 has no sign
    else if (value > std::numeric_limits<T>::max() || value < -std::numeric_limits<T>::max())
        to.put("inf");
    else if (exponent == 0)
        put_decimal(to, shortest(mantissa, least, false));
    else
        put_decimal(to,
                    shortest(mantissa | hidden, static_cast<int>(exponent) - 1 + least, mantissa == 0 && exponent > 1));
}

/// The text of a stored number. A long double or a number of class type is written as the nearest double, or as
/// "number" if it does not convert to double.
template <class T>
[[nodiscard]] constexpr number_text text_of_number(const T& value) {
    number_text text;
    if constexpr (std::is_integral_v<T>) {
        const bool negative = value < T{};
        if (negative) text.put('-');
        const auto magnitude = static_cast<std::uint64_t>(value);
        text.put(negative ? 0 - magnitude : magnitude);
    } else if constexpr (requires { static_cast<double>(value); }) {
        put_floating(text, static_cast<std::conditional_t<std::is_same_v<T, float>, float, double>>(value));
    } else {
        text.put("number");
    }
    return text;
}

/// The text of a constant: an integer, a decimal if one of at most 17 digits is exact, or a fraction. A constant that
/// is not a fraction of 64-bit integers is written as the nearest double.
template <class Text = number_text>
[[nodiscard]] constexpr Text text_of_constant(const coefficient& c) {
    Text text;
    if (!c.exact()) {
        put_floating(text, c.high);
        return text;
    }
    if (c.negative()) text.put('-');
    const auto numerator = static_cast<std::uint64_t>(c.magnitude().numerator);
    const auto denominator = static_cast<std::uint64_t>(c.denominator);
    if (denominator != 1) {
        // Multiply both by 2 or 5 until the denominator is a power of ten.
        std::uint64_t rest = denominator, digits = numerator;
        int twos = 0, fives = 0;
        for (; rest % 2 == 0; rest /= 2) ++twos;
        for (; rest % 5 == 0; rest /= 5) ++fives;
        constexpr std::uint64_t limit = 100'000'000'000'000'000;
        for (int i = twos; i < fives && digits < limit; ++i) digits *= 2;
        for (int i = fives; i < twos && digits < limit; ++i) digits *= 5;
        if (rest == 1 && digits < limit) {
            decimal d;
            d.digits.put(digits);
            d.point = d.digits.size - (twos > fives ? twos : fives);
            put_decimal(text, d);
            return text;
        }
    }
    text.put(numerator);
    if (denominator != 1) {
        text.put(" / ");
        text.put(denominator);
        text.fraction = true;
    }
    return text;
}

} // namespace chainrule::detail
