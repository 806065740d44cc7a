// SPDX-License-Identifier: BSL-1.0
//
// A class of numbers with operators and no functions, which are found in the namespace of its unit.
#pragma once

template <class Unit>
struct number_of {
    double value = 0;
    friend constexpr number_of operator+(number_of a, number_of b) { return {a.value + b.value}; }
    friend constexpr number_of operator-(number_of a, number_of b) { return {a.value - b.value}; }
    friend constexpr number_of operator*(number_of a, number_of b) { return {a.value * b.value}; }
    friend constexpr number_of operator/(number_of a, number_of b) { return {a.value / b.value}; }
};
