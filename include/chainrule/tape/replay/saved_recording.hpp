// SPDX-License-Identifier: BSL-1.0
//
// The text in which recordings are saved: its lines, its checksum, and its numbers, which are exact. tape/save.hpp
// writes it, tape/load.hpp reads it.
//
//     chainrule recording 1       the version
//     computes double number      the type of the numbers, and what the function returns: number, or list
//     inputs 2                    values 0 and 1
//     = 4503599627370496p-51      value 2, a constant: 2
//     * 2 0                       value 3, an operation on earlier values
//     sin 1                       value 4
//     read 4 0                    value 4 was read while recording, and found to be 0
//     returns 3                   a value that the function returns
//     end 0123456789abcdef        the checksum of the characters above
#pragma once

#include <chainrule/tape/recording/text_of_hash.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace chainrule::tape::saving {

inline constexpr std::string_view first_line = "chainrule recording 1", begin_of_first_line = "chainrule recording ";

template <class T>
inline constexpr std::string_view name_of_number = std::same_as<T, float>    ? "float"
                                                   : std::same_as<T, double> ? "double"
                                                                             : "long-double";

/// The checksum of a text. A character that differs changes it.
class text_sum {
public:
    void add(std::string_view text) {
        for (const char c : text) sum_ = core::with_byte(sum_, static_cast<unsigned char>(c));
    }
    [[nodiscard]] std::string text() const { return text_of_hash(sum_); }

private:
    core::hash_value sum_ = core::hash_of_no_bytes;
};

/// A number as mantissa and exponent: exact, and without the locale. The mantissa is a whole number.
template <std::floating_point T>
[[nodiscard]] std::string exact_text(const T& x) {
    constexpr int digits = std::numeric_limits<T>::digits;
    static_assert(digits <= 64, "save: the mantissa of the numbers has over 64 digits; record in double");
    if (x != x) return "nan";
    const std::string sign = __builtin_signbit(x) ? "-" : "";
    const T size = __builtin_signbit(x) ? -x : x;
    if (size == 0) return sign + '0';
    if (size > std::numeric_limits<T>::max()) return sign + "inf";
    int exponent = 0;
    const T fraction = std::frexp(size, &exponent);
    return sign + std::to_string(static_cast<std::uint64_t>(std::ldexp(fraction, digits))) + 'p' +
           std::to_string(exponent - digits);
}

/// Reads a whole number that is at most `largest`. False for anything else.
[[nodiscard]] inline bool read_whole(std::string_view text, std::uint64_t largest, std::uint64_t& to) {
    if (text.empty() || text.size() > 20) return false;
    to = 0;
    for (const char c : text) {
        if (c < '0' || '9' < c) return false;
        const auto digit = static_cast<std::uint64_t>(c - '0');
        if (to > (largest - digit) / 10 || digit > largest) return false;
        to = 10 * to + digit;
    }
    return true;
}
/// Reads what exact_text() writes.
template <std::floating_point T>
[[nodiscard]] bool read_exact(std::string_view text, T& to) {
    if (text == "nan") {
        to = std::numeric_limits<T>::quiet_NaN();
        return true;
    }
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const auto signed_number = [&](const T& size) {
        to = negative ? -size : size;
        return true;
    };
    if (text == "0") return signed_number(T(0));
    if (text == "inf") return signed_number(std::numeric_limits<T>::infinity());
    const std::size_t at = text.find('p');
    if (at == std::string_view::npos) return false;
    std::string_view power = text.substr(at + 1);
    const bool small = power.starts_with('-');
    if (small) power.remove_prefix(1);
    std::uint64_t mantissa = 0, exponent = 0;
    if (!read_whole(text.substr(0, at), std::numeric_limits<std::uint64_t>::max(), mantissa) ||
        !read_whole(power, 100'000, exponent))
        return false;
    return signed_number(
        std::ldexp(static_cast<T>(mantissa), small ? -static_cast<int>(exponent) : static_cast<int>(exponent)));
}

} // namespace chainrule::tape::saving
