// SPDX-License-Identifier: BSL-1.0
//
// ^ and %, which neither expressions nor numbers that carry derivatives have. Includes nothing else of expressions:
// dual numbers on their own (chainrule/dual.hpp) refuse these too.
#pragma once

#include <chainrule/functions/names.hpp>

namespace chainrule {

namespace expressions {

/// An expression, several, or a number of a class that has the functions of the table.
template <class E>
concept without_bitwise_operators =
    functions::has_functions_of_table<E> || requires { typename E::chainrule_expression; };

} // namespace expressions

#define CHAINRULE_REFUSED(SYMBOL, SENTENCE)                                                                            \
    template <expressions::without_bitwise_operators L, class R>                                                       \
    constexpr L operator SYMBOL(const L& l, const R&) {                                                                \
        constexpr bool there = sizeof(R) == 0;                                                                         \
        static_assert(there, SENTENCE);                                                                                \
        return l;                                                                                                      \
    }                                                                                                                  \
    template <class L, expressions::without_bitwise_operators R>                                                       \
    requires std::is_arithmetic_v<L>                                                                                   \
    constexpr R operator SYMBOL(L l, const R& r) {                                                                     \
        return r SYMBOL l;                                                                                             \
    }
CHAINRULE_REFUSED(^, "x ^ y: expressions and numbers with derivatives have no operator ^; write pow(x, 2), or "
                     "pow(x, 2_c) of an expression")
CHAINRULE_REFUSED(%, "x % y: expressions and numbers with derivatives have no operator %; write x - y * floor(x / y)")
#undef CHAINRULE_REFUSED

} // namespace chainrule
