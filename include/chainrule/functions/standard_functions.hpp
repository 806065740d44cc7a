// SPDX-License-Identifier: BSL-1.0
//
// Rejects uses of a number that carries derivatives as a plain number, as in std::sin(x) or `if (x)`, each with one
// message instead of a list of candidates.
#pragma once

#include <type_traits>

namespace chainrule::functions {

/// The plain type to which a number of values of type T converts, for an error message: one of the types for which
/// <cmath> overloads its functions, so that no call is ambiguous. It is not T, with which `x > 0 ? x : 0.0` would be.
template <class T>
using refused_plain = std::conditional_t<std::is_same_v<T, long double>, float, long double>;

template <class Number, class Plain>
Plain refused_by_standard_functions() {
    constexpr bool takes_derivatives = sizeof(Number) == 0;
    static_assert(takes_derivatives,
                  "std::sin(x): a function or variable of plain numbers would lose the derivatives of x; write "
                  "sin(x), with using std::sin where x may be plain too, or pass its value");
    return {};
}

// As in static_cast<int>(x): an explicit conversion, which no overload resolution meets.
template <class Number, class Plain>
Plain refused_as_plain() {
    constexpr bool is_plain = sizeof(Number) == 0;
    static_assert(is_plain, "static_cast<int>(x), double(x): a plain number would lose the derivatives of x; keep the "
                            "type of x, or convert plain_value(x)");
    return {};
}

template <class Number>
bool refused_as_truth() {
    constexpr bool is_truth = sizeof(Number) == 0;
    static_assert(is_truth, "if (x): a number with derivatives is neither true nor false; compare it, as in x != 0");
    return {};
}

// As in s += x, and with the other operators of that kind.
template <class Number, class Plain>
Plain& refused_change(Plain& plain) {
    constexpr bool holds_derivatives = sizeof(Number) == 0;
    static_assert(holds_derivatives, "s += x: the plain number s would lose the derivatives of x; give s the type of "
                                     "x, or use value(x)");
    return plain;
}

} // namespace chainrule::functions
