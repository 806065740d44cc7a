// SPDX-License-Identifier: BSL-1.0
//
// Operators that expressions do not have; each gives a message that names the replacement. They accept an expression
// that is not an active number on either side.
#pragma once

#include <chainrule/expression/conditional.hpp>

namespace chainrule {

namespace expressions {

/// An expression without a value: not an active number, which has these operators.
template <class E, bool = expression<E>>
inline constexpr bool symbolic = false;
template <class E>
inline constexpr bool symbolic<E, true> = !holds_actives<E>;

} // namespace expressions

#define CHAINRULE_REFUSED(SYMBOL, SENTENCE)                                                                            \
    template <class L, class R>                                                                                        \
    requires(expressions::symbolic<L>) constexpr L operator SYMBOL(const L& l, const R&) {                                 \
        constexpr bool there = sizeof(R) == 0;                                                                         \
        static_assert(there, SENTENCE);                                                                                \
        return l;                                                                                                      \
    }
CHAINRULE_REFUSED(^, "x ^ y: expressions have no operator ^; write pow(x, 2_c)")
CHAINRULE_REFUSED(%, "x % y: expressions have no operator %; write x - y * floor(x / y)")
CHAINRULE_REFUSED(+=, "f += g: f + g does not have the type of f; write auto h = f + g")
CHAINRULE_REFUSED(-=, "f -= g: f - g does not have the type of f; write auto h = f - g")
CHAINRULE_REFUSED(*=, "f *= g: f * g does not have the type of f; write auto h = f * g")
CHAINRULE_REFUSED(/=, "f /= g: f / g does not have the type of f; write auto h = f / g")
#undef CHAINRULE_REFUSED

// (Not a concept: one that failed for a predicate would make clang write out its type.)
template <class E, class = typename E::chainrule_expression>
constexpr E operator!(const E& f) {
    constexpr bool there = sizeof(E) == 0;
    static_assert(there, "!f: an expression is neither true nor false; compare it, as in f == 0");
    return f;
}

} // namespace chainrule
