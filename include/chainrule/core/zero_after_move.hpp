// SPDX-License-Identifier: BSL-1.0
//
// A number that becomes zero when it is moved from.
#pragma once

#include <utility>

namespace chainrule::core {

/// A number that is zero after it was moved from, as the size of a list is whose elements were.
template <class T>
class zero_after_move {
public:
    constexpr zero_after_move(const T& number) : number_(number) {}
    constexpr zero_after_move(const zero_after_move&) = default;
    constexpr zero_after_move& operator=(const zero_after_move&) = default;
    constexpr zero_after_move(zero_after_move&& other) noexcept : number_(std::exchange(other.number_, T(0))) {}
    constexpr zero_after_move& operator=(zero_after_move&& other) noexcept {
        number_ = std::exchange(other.number_, T(0));
        return *this;
    }
    ~zero_after_move() = default;

    constexpr operator const T&() const { return number_; }

private:
    T number_;
};

} // namespace chainrule::core
