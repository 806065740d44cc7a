// SPDX-License-Identifier: BSL-1.0
//
// Writes a number with the fewest decimal digits that read back as the same number, also at compile time, where neither
// <charconv> nor <cstdio> can be called.
#pragma once

#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/natural.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace chainrule::detail {

/// The text of one constant or number.
struct number_text {
    char characters[44] = {}; // a fraction of 64-bit integers has at most 42
    int size = 0;
    bool fraction = false; // written as a quotient, which affects parentheses around it

    [[nodiscard]] constexpr bool negative() const { return characters[0] == '-'; }
    constexpr void put(char c) { characters[size++] = c; }
    constexpr void put(const char* text) {
        for (; *text != '\0'; ++text) put(*text);
    }
    constexpr void put(std::uint64_t value) {
        char digits[20] = {};
        int count = 0;
        do digits[count++] = static_cast<char>('0' + value % 10);
        while ((value /= 10) != 0);
        while (count > 0) put(digits[--count]);
    }
};

/// Decimal digits d1 d2 ... dn of the number 0.d1d2...dn times 10 to the power `point`.
struct decimal {
    char digits[20] = {};
    int count = 0;
    int point = 0;
};

// The functions are templates, so that only programs that print pay for them.

/// Writes a decimal in plain notation if that is short, otherwise as in 1.5e-7: at most 23 characters for 17 digits.
template <class Text>
constexpr void put_decimal(Text& to, const decimal& d) {
    if (d.point > 17 || d.point < -4) {
        for (int i = 0; i < d.count; ++i) {
            if (i == 1) to.put('.');
            to.put(d.digits[i]);
        }
        const int exponent = d.point - 1;
        to.put(exponent < 0 ? "e-" : "e");
        to.put(static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
        return;
    }
    if (d.point <= 0) to.put("0.");
    for (int i = d.point; i < 0; ++i) to.put('0');
    for (int i = 0; i < d.count; ++i) {
        if (i > 0 && i == d.point) to.put('.');
        to.put(d.digits[i]);
    }
    for (int i = d.count; i < d.point; ++i) to.put('0');
}

/// The shortest decimal, and among these the nearest, that reads back as mantissa * 2^exponent in the same binary
/// precision. `narrow`: the next lower number is only half as far away as the next higher one. The algorithm is that of
/// Steele and White (1990) as Burger and Dybvig (1996) give it.
template <class Natural = natural>
[[nodiscard]] constexpr decimal shortest(std::uint64_t mantissa, int exponent, bool narrow) {
    // value = rest / unit; the numbers from value - below to value + above read back as value.
    Natural rest(4 * mantissa), unit(4), below(narrow ? 1 : 2), above(2);
    if (exponent > 0) {
        rest.shift(exponent);
        below.shift(exponent);
        above.shift(exponent);
    } else {
        unit.shift(-exponent);
    }
    const bool even = mantissa % 2 == 0; // then the ends of the interval also read back as value
    decimal d;
    // The number of digits before the point, or one less.
    const int magnitude = exponent + static_cast<int>(std::bit_width(mantissa)) - 1;
    d.point = magnitude * 30103 / 100000 - (magnitude < 0 ? 1 : 0);
    if (d.point > 0) {
        unit.multiply_by_power_of_ten(d.point);
    } else {
        rest.multiply_by_power_of_ten(-d.point);
        below.multiply_by_power_of_ten(-d.point);
        above.multiply_by_power_of_ten(-d.point);
    }
    const auto reaches_unit = [&] {
        Natural sum = rest;
        sum.add(above);
        return sum.compare(unit) >= (even ? 0 : 1);
    };
    while (reaches_unit()) {
        unit.multiply(10);
        ++d.point;
    }
    for (;;) {
        rest.multiply(10);
        below.multiply(10);
        above.multiply(10);
        char digit = '0';
        for (; rest.compare(unit) >= 0; ++digit) rest.subtract(unit);
        const bool may_stop = rest.compare(below) < (even ? 1 : 0), may_round_up = reaches_unit();
        if (may_stop || may_round_up) {
            if (may_stop && may_round_up) {
                rest.multiply(2);
                const int half = rest.compare(unit);
                if (half > 0 || (half == 0 && digit % 2 != 0)) ++digit;
            } else if (may_round_up) {
                ++digit;
            }
            d.digits[d.count++] = digit;
            return d;
        }
        d.digits[d.count++] = digit;
    }
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
            Text written;
            written.put(digits);
            decimal d;
            for (; d.count < written.size; ++d.count) d.digits[d.count] = written.characters[d.count];
            d.point = d.count - (twos > fives ? twos : fives);
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
