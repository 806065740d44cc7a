// SPDX-License-Identifier: BSL-1.0
//
// The kinds of numbers that the formulas of the table meet: numbers with rules of their own, lanes, integral constants.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace chainrule {

namespace functions {

/// Whether the operators of a number type return that type.
template <class T>
concept closed_under_arithmetic = requires(const T& a) {
    { a + a } -> std::same_as<T>;
};
/// Whether they take an int, which those of std::complex and of intervals do not.
template <class T>
concept takes_integers = requires(const T& a) { 1 / a; };

/// Whether a class evaluates the functions of the table by its own rules: dual numbers propagate derivatives, formula
/// terms become nodes. For these classes the derivative of a value's formula is not the derivative of the function.
template <class T>
inline constexpr bool has_functions_of_table = requires { typename T::has_functions_of_table; };

/// An expression, or a number of a class that evaluates the functions of the table by its own rules.
template <class T>
concept has_own_rules = has_functions_of_table<T> || requires { typename T::chainrule_expression; };

/// An integral constant of Boost.Hana or of the standard library, such as boost::hana::int_c<2>.
template <class T>
concept integral_constant = requires {
    typename T::value_type;
    T::value;
    requires std::integral<typename T::value_type>;
    requires std::is_empty_v<T>;
};

/// Whether T is a SIMD number of another library, such as std::experimental::simd or xsimd::batch: its comparisons give
/// other than bool, and its library does not have the functions of the table.
template <class T>
inline constexpr bool are_lanes = false;
template <class T>
requires(std::is_class_v<T> && !has_functions_of_table<T> && requires(const T& x) { x == x; })
inline constexpr bool are_lanes<T> =
    !std::is_same_v<decltype(std::declval<const T&>() == std::declval<const T&>()), bool>;

} // namespace functions

} // namespace chainrule
