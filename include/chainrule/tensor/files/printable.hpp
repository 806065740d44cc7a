// SPDX-License-Identifier: BSL-1.0
//
// Names and paths in error messages, which may hold control characters, invalid UTF-8 or thousands of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace chainrule::tensor::files {

/// The number of bytes of the first character of a text; 0 if they are not valid UTF-8 (RFC 3629).
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
    const unsigned first = byte(0);
    std::size_t length = 0;
    if (first < 0x80)
        length = 1;
    else if (first >= 0xc2 && first < 0xe0)
        length = 2;
    else if (first >= 0xe0 && first < 0xf0)
        length = 3;
    else if (first >= 0xf0 && first < 0xf5)
        length = 4;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0) != 0x80) return 0;
    // Longer than needed, a surrogate, or beyond the last code point.
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) || (first == 0xf0 && byte(1) < 0x90) ||
        (first == 0xf4 && byte(1) >= 0x90))
        return 0;
    return length;
}

/// Whether the text is valid UTF-8.
[[nodiscard]] constexpr bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

/// The text with control characters and invalid UTF-8 as \x1b, and the middle of a long text omitted.
[[nodiscard]] inline std::string printable(std::string_view text) {
    constexpr std::size_t most = 240, of_beginning = 120, of_end = 100;
    const auto shown = [](std::string_view part) {
        std::string result;
        while (!part.empty()) {
            const std::size_t length = utf8_length(part);
            const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(part[k]); };
            // The control characters of ASCII, and those of ISO 6429 beyond it: U+0080 to U+009F.
            const bool controls =
                byte(0) < 0x20 || byte(0) == 0x7f || (length == 2 && byte(0) == 0xc2 && byte(1) < 0xa0);
            const std::size_t taken = length == 0 ? 1 : length;
            if (length != 0 && !controls)
                result += part.substr(0, length);
            else
                for (std::size_t k = 0; k < taken; ++k)
                    for (const char c : {'\\', 'x', "0123456789abcdef"[byte(k) >> 4], "0123456789abcdef"[byte(k) & 15]})
                        result += c;
            part.remove_prefix(taken);
        }
        return result;
    };
    // A piece of what is long, which begins and ends with a whole character.
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
    const auto cut = [&](std::string_view of) {
        std::size_t end = of_beginning, begin = of.size() - of_end;
        for (int k = 0; k < 3 && continues(of[end]); ++k) --end;
        for (int k = 0; k < 3 && continues(of[begin]); ++k) ++begin;
        return shown(of.substr(0, end)) + "..." + shown(of.substr(begin));
    };
    if (text.size() > most) {
        const std::string both = cut(text);
        return both.size() > most ? cut(both) : both;
    }
    const std::string all = shown(text);
    return all.size() > most ? cut(all) : all;
}

/// The printable text in single quotes.
[[nodiscard]] inline std::string in_quotes(std::string_view text) { return '\'' + printable(text) + '\''; }

} // namespace chainrule::tensor::files
