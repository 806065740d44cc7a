// SPDX-License-Identifier: BSL-1.0
//
// What is thrown where columns do not fit: a sentence with the names and sizes of this call. (No class of <stdexcept>
// or <string>: their headers take longer to compile than this room.)
#pragma once

#include <chainrule/core/raise.hpp>

#include <cstddef>
#include <exception>

namespace chainrule {

/// Thrown before anything is computed if columns have different lengths, outputs overlap other columns, or rows are too
/// short.
class wrong_columns : public std::exception {
public:
    [[nodiscard]] const char* what() const noexcept override { return sentence_; }

    wrong_columns& operator<<(const char* text) {
        while (*text != '\0') add(*text++);
        return *this;
    }
    wrong_columns& operator<<(std::size_t number) {
        if (number > 9) *this << number / 10;
        add(static_cast<char>('0' + number % 10));
        return *this;
    }
    wrong_columns& operator<<(std::ptrdiff_t number) {
        if (number < 0) add('-');
        return *this << (number < 0 ? 0 - static_cast<std::size_t>(number) : static_cast<std::size_t>(number));
    }

private:
    void add(char c) {
        if (size_ + 1 < sizeof sentence_) sentence_[size_++] = c;
    }

    char sentence_[256] = {};
    std::size_t size_ = 0;
};

} // namespace chainrule
