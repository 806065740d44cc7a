// SPDX-License-Identifier: BSL-1.0
//
// How does one name a variable, and write a constant that the compiler may calculate with?
#pragma once

#include <chainrule/expression/node.hpp>

#include <cstddef>
#include <utility>

namespace chainrule {

namespace program {

/// A string literal as a template argument. It stays out of the types of expressions, where nvcc's host pass fails on
/// arguments of class type.
template <std::size_t Size>
struct literal {
    char characters[Size];
    // NOLINTNEXTLINE: a literal is meant to convert.
    consteval literal(const char (&text)[Size]) {
        for (std::size_t i = 0; i < Size; ++i) characters[i] = text[i];
    }
};

template <literal Name, std::size_t... I>
consteval auto name_of(std::index_sequence<I...>) {
    return typename symbol<boost::hana::string<Name.characters[I]...>>::node{};
}

// A decimal literal as an exact fraction, or, where that needs more than 64 bits, as the nearest sum of two doubles.
constexpr coefficient parse(const char* text, int size) {
    integer mantissa = 0;
    int exponent = 0;
    bool point = false, fits = true;
    int i = 0;
    for (; i < size && text[i] != 'e' && text[i] != 'E'; ++i) {
        if (text[i] == '\'') continue;
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (fits && mantissa > (std::numeric_limits<integer>::max() - 9) / 10) fits = false;
        if (fits) {
            mantissa = mantissa * 10 + (text[i] - '0');
            exponent -= point ? 1 : 0;
        } else if (!point) {
            ++exponent;
        }
    }
    int written = 0;
    bool negative = false;
    for (++i; i < size; ++i) {
        if (text[i] == '-') negative = true;
        if (text[i] >= '0' && text[i] <= '9') written = written * 10 + (text[i] - '0');
    }
    exponent += negative ? -written : written;
    while (exponent < 0 && mantissa % 10 == 0 && mantissa != 0) {
        mantissa /= 10;
        ++exponent;
    }
    coefficient c(mantissa);
    if (mantissa == 0) return c;
    const coefficient ten(10), tenth = ten.reciprocal();
    for (; exponent > 0; --exponent) c = c * ten;
    integer power = 1;
    for (; exponent < 0 && power <= std::numeric_limits<integer>::max() / 10; ++exponent) power *= 10;
    if (power > 1) c = c * coefficient(power).reciprocal();
    for (; exponent < 0; ++exponent) c = c * tenth;
    return c;
}

template <coefficient (*Value)()>
consteval auto constant_of() {
    constexpr coefficient c = Value();
    if constexpr (c.exact())
        return typename constant<c.numerator, c.denominator>::node{};
    else
        return typename real_constant<std::bit_cast<hash_value>(c.high), std::bit_cast<hash_value>(c.low)>::node{};
}

template <char... Characters>
constexpr coefficient parse_characters() {
    constexpr char text[] = {Characters...};
    return parse(text, sizeof...(Characters));
}

} // namespace program

/// A variable. Two variables of one name are the same variable.
/// Example: `constexpr auto x = chainrule::variable<"x">;`
template <program::literal Name>
inline constexpr auto variable = program::name_of<Name>(std::make_index_sequence<sizeof(Name.characters) - 1>{});

namespace literals {

/// An exact constant, known to the optimiser: `2_c`, `0.5_c` (one half), `1e-3_c`.
template <char... Characters>
consteval auto operator""_c() {
    return program::constant_of<program::parse_characters<Characters...>>();
}

} // namespace literals
} // namespace chainrule
