// SPDX-License-Identifier: BSL-1.0
//
// The constants of the standard header <numbers> for numbers that carry derivatives, as in std::numbers::pi_v<T> of a
// template: the constant of the plain number in them.
#pragma once

#include <chainrule/functions/number_kinds.hpp>

#include <numbers>
#include <type_traits>

namespace chainrule::functions {

/// The plain number in a number that carries derivatives.
template <class Number>
struct plain_part_of {
    using type = double;
};
template <class Number>
requires requires { typename Number::plain_number; }
struct plain_part_of<Number> {
    using type = typename Number::plain_number;
};
template <class Number>
using plain_part = typename plain_part_of<Number>::type;

} // namespace chainrule::functions

#define CHAINRULE_CONSTANT(NAME)                                                                                       \
    template <class Number>                                                                                            \
    requires(chainrule::functions::has_functions_of_table<Number> &&                                                   \
             std::is_convertible_v<chainrule::functions::plain_part<Number>, Number>)                                  \
    inline constexpr Number std::numbers::NAME<Number> = std::numbers::NAME<chainrule::functions::plain_part<Number>>;
CHAINRULE_CONSTANT(e_v)
CHAINRULE_CONSTANT(log2e_v)
CHAINRULE_CONSTANT(log10e_v)
CHAINRULE_CONSTANT(pi_v)
CHAINRULE_CONSTANT(inv_pi_v)
CHAINRULE_CONSTANT(inv_sqrtpi_v)
CHAINRULE_CONSTANT(ln2_v)
CHAINRULE_CONSTANT(ln10_v)
CHAINRULE_CONSTANT(sqrt2_v)
CHAINRULE_CONSTANT(sqrt3_v)
CHAINRULE_CONSTANT(inv_sqrt3_v)
CHAINRULE_CONSTANT(egamma_v)
CHAINRULE_CONSTANT(phi_v)
#undef CHAINRULE_CONSTANT
