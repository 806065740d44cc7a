// SPDX-License-Identifier: BSL-1.0
//
// What dual numbers (dual/dual.hpp) require: other operands, also among three arguments, that convert to the type of
// their values, and directions that exist.
#pragma once

#include <chainrule/functions/rows.hpp>
#include <chainrule/core/raise.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace chainrule::detail {

/// A class whose constructor takes arguments of any type, numbers or not, as an interval's of Boost. Beside it, numbers
/// are numbers of the language.
class of_no_number {};
template <class T>
concept takes_any_argument = std::convertible_to<of_no_number, T>;
/// A class that converts to any type, which its body then refuses, as a quaternion of Boost.QVM.
template <class U>
concept becomes_anything = std::is_class_v<U> && std::convertible_to<U, of_no_number>;

/// Whether a U converts implicitly to a T. (Expressions and numbers with derivatives have a conversion to a plain
/// number only to give an error message.)
template <class U, class T>
concept becomes_number =
    std::convertible_to<U, T> && !(std::is_arithmetic_v<T> && functions::has_own_rules<U>) &&
    (std::is_arithmetic_v<U> || std::same_as<U, T> || (!takes_any_argument<T> && !becomes_anything<U>));

/// Such a U beside an operator. (Integral constants: expression/constant_operands.hpp.)
template <class U, class T>
concept plain_operand = becomes_number<U, T> && !functions::integral_constant<U>;

class unknown_direction : public std::out_of_range {
public:
    unknown_direction(std::size_t direction, std::size_t count)
        : std::out_of_range("dual::variable: there is no direction " + std::to_string(direction) + " of dual<T, " +
                            std::to_string(count) +
                            ">, which counts from 0; give a smaller one, or the type more directions") {}
};
[[noreturn]] CHAINRULE_HOST_DEVICE inline void no_direction(std::size_t direction, std::size_t count) {
    core::raise_as<unknown_direction>(direction, count);
}

} // namespace chainrule::detail

/// Declares a function of three arguments for every place of plain numbers among them: ONE_PLAIN(NAME, X, Y, Z) where
/// one is of type U, TWO_PLAIN where another is of type V. NUMBER() is the type that has derivatives.
#define CHAINRULE_SOME_OF_THREE_PLAIN(ONE_PLAIN, TWO_PLAIN, NAME, NUMBER)                                              \
    ONE_PLAIN(NAME, NUMBER(), NUMBER(), U)                                                                             \
    ONE_PLAIN(NAME, NUMBER(), U, NUMBER())                                                                             \
    ONE_PLAIN(NAME, U, NUMBER(), NUMBER())                                                                             \
    TWO_PLAIN(NAME, NUMBER(), U, V)                                                                                    \
    TWO_PLAIN(NAME, U, NUMBER(), V)                                                                                    \
    TWO_PLAIN(NAME, U, V, NUMBER())
