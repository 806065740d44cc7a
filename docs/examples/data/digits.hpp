// SPDX-License-Identifier: BSL-1.0
//
// Reads scikit-learn's digits: 1797 handwritten digits of 8 x 8 pixels, one line each: 64 grey values from 0 to 16 and
// the digit, separated by commas. They are the test set of E. Alpaydin and C. Kaynak, "Optical recognition of
// handwritten digits", UCI Machine Learning Repository, 1998.
#pragma once

#include "idx.hpp"

#include <charconv>
#include <string_view>

namespace examples {

/// The path of the file in Debian's package python3-sklearn.
inline constexpr const char* digits_file = "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz";

/// The digits in the text of such a file.
[[nodiscard]] inline labelled_images decode_digits(std::string_view text, const tensor::origin& from) {
    constexpr std::size_t side = 8, columns = side * side + 1;
    labelled_images result{.height = side, .width = side, .pixels = {}, .labels = {}};
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const auto refuse = [&](const std::string& fault) {
            from.refuse("has " + fault + " in line " + std::to_string(line_number) +
                        "; give scikit-learn's digits.csv.gz");
        };

        std::size_t column = 0;
        for (bool more = true; more; ++column) {
            int value = 0;
            const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value);
            if (error != std::errc()) refuse("no integer in column " + std::to_string(column + 1));
            line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
            more = line.starts_with(',');
            if (!more && !line.empty()) refuse("something after the integer in column " + std::to_string(column + 1));
            if (more) line.remove_prefix(1);
            const bool is_label = column == columns - 1;
            if (!(value >= 0 && value <= (is_label ? 9 : 16)))
                refuse(is_label ? "a label that is not a digit" : "a grey value that is not 0 to 16");
            if (is_label)
                result.labels.push_back(static_cast<std::size_t>(value));
            else if (column < columns)
                result.pixels.push_back(static_cast<float>(value) / 16.0f);
        }
        if (column != columns) refuse(std::to_string(column) + " columns, not " + std::to_string(columns) + ',');
    }
    if (result.labels.empty()) from.refuse("is empty; give scikit-learn's digits.csv.gz");
    return result;
}

/// Reads the digits from a file, compressed or not.
[[nodiscard]] inline labelled_images read_digits(const std::filesystem::path& path = digits_file) {
    const bytes content = read_unpacked(path, "read_digits");
    return decode_digits({reinterpret_cast<const char*>(content.data()), content.size()},
                         {"read_digits", path.string()});
}

} // namespace examples
