// SPDX-License-Identifier: BSL-1.0
//
// The table of comparisons: the symbol of each and its name. Expressions, graphs and every class of numbers that can be
// compared read it. And the order of two numbers from them.
#pragma once

#include <compare>

#define CHAINRULE_COMPARISONS(ROW)                                                                                     \
    ROW(<, less)                                                                                                       \
    ROW(<=, less_equal)                                                                                                \
    ROW(>, greater)                                                                                                    \
    ROW(>=, greater_equal)                                                                                             \
    ROW(==, equal)                                                                                                     \
    ROW(!=, not_equal)

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
