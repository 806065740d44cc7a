// SPDX-License-Identifier: BSL-1.0
//
// The order of two numbers whose class has <, == and the like, but not <=>.
#pragma once

#include <compare>

namespace chainrule::functions {

/// What a <=> b is for numbers that have the other comparisons.
template <class Number>
[[nodiscard]] constexpr std::partial_ordering order_of(const Number& a, const Number& b) {
    return a < b    ? std::partial_ordering::less
           : b < a  ? std::partial_ordering::greater
           : a == b ? std::partial_ordering::equivalent
                    : std::partial_ordering::unordered;
}

} // namespace chainrule::functions
