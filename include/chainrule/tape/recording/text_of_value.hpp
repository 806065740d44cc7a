// SPDX-License-Identifier: BSL-1.0
//
// Numbers on a tape as text, in messages, listings and pictures.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/print/decimal.hpp>
#include <chainrule/tape/recording/comparison.hpp>

#include <cstdio>
#include <string>

namespace chainrule::tape {

/// A number with the fewest digits that read back as the same number, always in floating-point form: "2.0". A number
/// with derivatives is written as its value, any other class that does not convert to double as "number".
template <class T>
[[nodiscard]] std::string text_of_value(const T& x) {
    const detail::number_text text = detail::text_of_number(plain_value(x));
    std::string result(text.characters, static_cast<std::size_t>(text.size));
    if (result.find_first_not_of("-0123456789") == std::string::npos) result += ".0";
    return result;
}

/// The same with at most `digits` significant digits, for pictures.
template <class T>
[[nodiscard]] std::string text_of_rounded(const T& x, int digits) {
    const auto plain = plain_value(x); // numbers with derivatives refuse the conversion with an error
    if constexpr (requires { static_cast<double>(plain); }) {
        char text[40];
        const int size = std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(plain));
        std::string result(text, static_cast<std::size_t>(size));
        for (char& c : result)
            if (c == ',') c = '.'; // the decimal separator of some locales
        return result;
    } else {
        return text_of_value(plain);
    }
}

} // namespace chainrule::tape

#include <chainrule/core/names_end.inc>
