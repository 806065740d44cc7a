// SPDX-License-Identifier: BSL-1.0
//
// Rejects calls of std::sin and other functions of <cmath> with a number that carries derivatives, with one message
// instead of a list of the functions that do not take it.
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

} // namespace chainrule::functions
