// SPDX-License-Identifier: BSL-1.0
//
// Uses of expressions that are errors, each with a message that names the remedy: as a plain number, as a positional
// function, and with operators and functions that they do not have.
#pragma once

#include <chainrule/expression/conditional.hpp>
#include <chainrule/expression/refused_operators.hpp>

namespace chainrule {

namespace expressions {

/// An expression without a value, or several: not an active number, which has these operators.
template <class E, bool = expression<E>>
inline constexpr bool symbolic = array_of_expressions<E>;
template <class E>
inline constexpr bool symbolic<E, true> = !holds_actives<E>;
/// A formula of active numbers, not an active number itself.
template <class E, bool = expression<E>>
inline constexpr bool formula_of_actives = false;
template <class E>
inline constexpr bool formula_of_actives<E, true> = holds_actives<E> && !is_active<E>;

} // namespace expressions

namespace expressions {

template <bool HoldsActives>
constexpr double refused_as_number() {
    constexpr bool there = sizeof(std::bool_constant<HoldsActives>) == 0;
    if constexpr (HoldsActives)
        static_assert(there, "double d = a * b: a plain number would lose the derivatives of active numbers; write "
                             "active<double> d = a * b, T(a * b) on both sides of ?:, or value(a * b) for a number "
                             "without derivatives");
    else
        static_assert(there, "double d = f: an expression is not a number until its variables have values; write "
                             "f(x = 2.0), and sin(f), min(f, g), max(f, g), gradient[0] instead of std::sin, std::min, "
                             "std::max, gradient[x]");
    return 0;
}
template <bool Defined>
constexpr double constant_refused_as_number() {
    static_assert(Defined,
                  "double d = 2_c, a[0_c]: an exact constant is part of an expression, not a number; write 2.0 "
                  "or 2_c() for a number, and a[0] for an element of an array or vector of numbers");
    return 0;
}
template <class... Point>
constexpr double refused_as_function() {
    constexpr bool there = sizeof...(Point) > 1000;
    if constexpr (sizeof...(Point) == 0)
        static_assert(there, "s.gradient(): s is a formula and has no place on a tape; declare it as a number, as in "
                             "active<double> s = a * b; of an expression f, write gradient(f)(x = 2.0, y = 5.0)");
    else
        static_assert(there,
                      "f.gradient(...): an expression has no order of variables; write gradient(f)(x = 2.0, y = 5.0), "
                      "or function(f, wrt(x, y)).gradient(2.0, 5.0)");
    return 0;
}
template <class From, class To>
constexpr void refused_assignment(const To&) {
    constexpr bool there = sizeof(To) == 0;
    if constexpr (formula_of_actives<To>)
        static_assert(there, "s = x: s is a formula of active numbers; declare it as a number, as in "
                             "active<double> s = a * b");
    else
        static_assert(there, "f = g: g does not have the type of f; write auto h = g");
}
template <class Operand>
constexpr void refused_change_of_formula() {
    constexpr bool is_number = sizeof(Operand) == 0;
    static_assert(is_number, "s += x: s is a formula of active numbers; declare it as a number, as in "
                             "active<double> s = a * b");
}
template <class Relation, class T>
constexpr T refused_as_truth() {
    constexpr bool there = sizeof(Relation) == 0;
    static_assert(there, "comparison: an expression is neither true nor false until its variables have values; use "
                         "select(x > 0, a, b), or compare values, as in f(x = 2.0) > 0");
    return false;
}

} // namespace expressions

// (Operators of active numbers are elsewhere.)
#define CHAINRULE_REFUSED(SYMBOL, KIND, SENTENCE)                                                                      \
    template <class L, class R>                                                                                        \
    requires(expressions::KIND<L>)                                                                                     \
    constexpr L operator SYMBOL(const L& l, const R&) {                                                                \
        constexpr bool there = sizeof(R) == 0;                                                                         \
        static_assert(there, SENTENCE);                                                                                \
        return l;                                                                                                      \
    }
CHAINRULE_REFUSED(+=, symbolic, "f += g: f + g does not have the type of f; write auto h = f + g")
CHAINRULE_REFUSED(-=, symbolic, "f -= g: f - g does not have the type of f; write auto h = f - g")
CHAINRULE_REFUSED(*=, symbolic, "f *= g: f * g does not have the type of f; write auto h = f * g")
CHAINRULE_REFUSED(/=, symbolic, "f /= g: f / g does not have the type of f; write auto h = f / g")
#undef CHAINRULE_REFUSED
// (Written out: clang would add lines for a macro on the way.)
/// Refused, with a sentence: a change of a formula of active numbers.
template <class L, class R>
requires expressions::formula_of_actives<L>
constexpr L operator+=(const L& l, const R&) {
    expressions::refused_change_of_formula<R>();
    return l;
}
/// Refused, with a sentence: a change of a formula of active numbers.
template <class L, class R>
requires expressions::formula_of_actives<L>
constexpr L operator-=(const L& l, const R&) {
    expressions::refused_change_of_formula<R>();
    return l;
}
/// Refused, with a sentence: a change of a formula of active numbers.
template <class L, class R>
requires expressions::formula_of_actives<L>
constexpr L operator*=(const L& l, const R&) {
    expressions::refused_change_of_formula<R>();
    return l;
}
/// Refused, with a sentence: a change of a formula of active numbers.
template <class L, class R>
requires expressions::formula_of_actives<L>
constexpr L operator/=(const L& l, const R&) {
    expressions::refused_change_of_formula<R>();
    return l;
}

// (Not a concept: one that failed for a predicate would make clang write out its type.)
template <class E, class = typename E::chainrule_expression>
constexpr E operator!(const E& f) {
    constexpr bool there = sizeof(E) == 0;
    static_assert(there, "!f: an expression is neither true nor false; compare it, as in f == 0");
    return f;
}

/// pow of more than two arguments.
template <expression A, class B, class C, class... More>
constexpr A pow(const A& x, const B&, const C&, const More&...) {
    constexpr bool there = sizeof(C) == 0;
    static_assert(there, "pow(x, y, z): a power has a base and an exponent; write pow(x, y), or pow(pow(x, y), z)");
    return x;
}

} // namespace chainrule
