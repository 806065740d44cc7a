// SPDX-License-Identifier: BSL-1.0
//
// Integral constants beside traced numbers and numbers with derivatives, as in x * boost::hana::int_c<2>. Hana's own
// operators accept any other operand with one of its constants; these are more specialized. Expressions have theirs in
// expression/operators.hpp.
#pragma once

#include <chainrule/functions/names.hpp>

namespace chainrule {

/// Found through the classes of the numbers: each namespace that has one declares that it uses these.
namespace functions::constant_operands {

/// A number of a class that has the functions of the table, and is not an expression.
template <class N>
concept number = has_functions_of_table<N> && !requires { typename N::chainrule_expression; };

#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    template <number N, template <class T, T> class Constant, class T, T Value>                                        \
    requires integral_constant<Constant<T, Value>>                                                                     \
    constexpr auto operator SYMBOL(N a, Constant<T, Value>) {                                                          \
        return a SYMBOL Value;                                                                                         \
    }                                                                                                                  \
    template <number N, template <class T, T> class Constant, class T, T Value>                                        \
    requires integral_constant<Constant<T, Value>>                                                                     \
    constexpr auto operator SYMBOL(Constant<T, Value>, N b) {                                                          \
        return Value SYMBOL b;                                                                                         \
    }
CHAINRULE_OPERATOR(+)
CHAINRULE_OPERATOR(-)
CHAINRULE_OPERATOR(*)
CHAINRULE_OPERATOR(/)
CHAINRULE_OPERATOR(<)
CHAINRULE_OPERATOR(<=)
CHAINRULE_OPERATOR(>)
CHAINRULE_OPERATOR(>=)
CHAINRULE_OPERATOR(==)
CHAINRULE_OPERATOR(!=)
#undef CHAINRULE_OPERATOR

} // namespace functions::constant_operands

#define CHAINRULE_USES_CONSTANT_OPERANDS                                                                               \
    using chainrule::functions::constant_operands::operator+;                                                          \
    using chainrule::functions::constant_operands::operator-;                                                          \
    using chainrule::functions::constant_operands::operator*;                                                          \
    using chainrule::functions::constant_operands::operator/;                                                          \
    using chainrule::functions::constant_operands::operator<;                                                          \
    using chainrule::functions::constant_operands::operator<=;                                                         \
    using chainrule::functions::constant_operands::operator>;                                                          \
    using chainrule::functions::constant_operands::operator>=;                                                         \
    using chainrule::functions::constant_operands::operator==;                                                         \
    using chainrule::functions::constant_operands::operator!=;
CHAINRULE_USES_CONSTANT_OPERANDS

} // namespace chainrule
