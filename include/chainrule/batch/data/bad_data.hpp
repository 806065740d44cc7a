// SPDX-License-Identifier: BSL-1.0
//
// The exception for data that do not fit together. Its message has names and sizes.
#pragma once

#include <chainrule/core/raise.hpp>

#include <cstddef>
#include <exception>

namespace chainrule {

/// Data that do not fit together: columns of different lengths, a stride that is too small, results that would overlap
/// the data, a maximum of no rows. Only what a mask or weights leave is known after a pass over the rows. what() is one
/// sentence with names and sizes.
class bad_data : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return sentence_; }

    /// Appends text, as far as there is room.
    bad_data& operator<<(const char* text) {
        while (*text != '\0' && length_ + 1 < sizeof sentence_) sentence_[length_++] = *text++;
        return *this;
    }
    /// Appends a number.
    bad_data& operator<<(std::size_t number) {
        char digits[24];
        char* first = digits + sizeof digits - 1;
        *first = '\0';
        do {
            *--first = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number != 0);
        return *this << first;
    }
    bad_data& operator<<(std::ptrdiff_t number) {
        if (number < 0) *this << "-";
        return *this << (number < 0 ? 0 - static_cast<std::size_t>(number) : static_cast<std::size_t>(number));
    }
    bad_data& operator<<(char) = delete; // would be a number

private:
    char sentence_[320] = {};
    std::size_t length_ = 0;
};

} // namespace chainrule
