// SPDX-License-Identifier: BSL-1.0
//
// Comparisons of expressions, which are predicates, and the conditionals select() and piecewise(). Comparisons of
// active numbers, which have values, are plain bools.
#pragma once

#include <chainrule/expression/operators.hpp>

namespace chainrule {

/// The value of an expression of active numbers: tape/recording/comparison.hpp.
template <class E>
constexpr auto value(const E& e);

// A comparison is a predicate, or, for active numbers, a bool. (Arguments by reference: test libraries overload
// comparisons with anything, and their overloads are then the better match.) std::optional asks whether its number can
// be compared with std::nullopt: that of an active number is not an error, but none.
#define CHAINRULE_COMPARISON(SYMBOL, NAME)                                                                             \
    template <class L, class R>                                                                                        \
    requires(expressions::operand_pair<L, R> &&                                                                        \
             (!(expressions::holds_actives<L> || expressions::holds_actives<R>) ||                                     \
              (expressions::is_operand<L>() && expressions::is_operand<R>()) ||                                        \
              requires(const L& l, const R& r) { chainrule::value(l) SYMBOL chainrule::value(r); }))                   \
    CHAINRULE_PER_NODE auto operator SYMBOL(const L& l, const R& r) {                                                  \
        if constexpr (expressions::holds_actives<L> || expressions::holds_actives<R>) {                                \
            return chainrule::value(l) SYMBOL chainrule::value(r);                                                     \
        } else {                                                                                                       \
            using node = typename comparison<relations::NAME, expressions::operand<L>, expressions::operand<R>>::node; \
            if constexpr (int{node::numbers} == 0)                                                                     \
                return expressions::empty<node>();                                                                     \
            else                                                                                                       \
                return expressions::joined<node>(expressions::as_operand(l), expressions::as_operand(r));              \
        }                                                                                                              \
    }
CHAINRULE_COMPARISONS(CHAINRULE_COMPARISON)
#undef CHAINRULE_COMPARISON

#define CHAINRULE_JUNCTION(SYMBOL, NAME)                                                                               \
    template <predicate P, predicate Q>                                                                                \
    CHAINRULE_PER_NODE auto operator SYMBOL(P p, Q q) {                                                                \
        using node = typename comparison<relations::NAME, P, Q>::node;                                                 \
        if constexpr (int{node::numbers} == 0)                                                                         \
            return expressions::empty<node>();                                                                         \
        else                                                                                                           \
            return expressions::joined<node>(p, q);                                                                    \
    }
CHAINRULE_JUNCTION(&&, conjunction)
CHAINRULE_JUNCTION(||, disjunction)
#undef CHAINRULE_JUNCTION

/// The negation of a predicate.
template <predicate P>
CHAINRULE_PER_NODE auto operator!(P p) {
    using node = typename logical_not<relations::negation, P>::node;
    if constexpr (int{node::numbers} == 0)
        return expressions::empty<node>();
    else
        return node{{p}};
}

/// Whether a value is NaN: a predicate, or a bool for active numbers. A comparison of e with itself, and printed as
/// such; so are isfinite() and isinf().
template <expression E>
CHAINRULE_PER_NODE auto isnan(const E& e) {
    return e != e;
}
/// Whether a value is neither NaN nor infinite. Example: `select(isfinite(x), x * y, 0_c)`
template <expression E>
CHAINRULE_PER_NODE auto isfinite(const E& e) {
    return e - e == e - e;
}
/// Whether a value is infinite.
template <expression E>
CHAINRULE_PER_NODE auto isinf(const E& e) {
    return e == e && e - e != e - e;
}

namespace expressions {

/// The type of the active numbers in an expression; for anything else the type itself.
template <class E>
struct active_type {
    using type = E;
};
template <class E>
requires(int{E::arity} == 1)
struct active_type<E> : active_type<typename E::first> {};
template <class E>
requires(int{E::arity} == 2)
struct active_type<E>
    : active_type<std::conditional_t<holds_actives<typename E::first>, typename E::first, typename E::second>> {};
template <class E>
requires(int{E::arity} == 3)
struct active_type<E>
    : active_type<std::conditional_t<
          holds_actives<typename E::first>, typename E::first,
          std::conditional_t<holds_actives<typename E::second>, typename E::second, typename E::third>>> {};

/// The number of nested tapes of a number; a class that contains numbers on a tape, such as a dual number, counts as
/// one.
template <class T>
inline constexpr int depth_of_tapes = has_own_operators<T> ? 1 : 0;
template <class T>
requires is_active<T>
inline constexpr int depth_of_tapes<T> =
    1 + depth_of_tapes<std::remove_cvref_t<decltype(std::declval<const T&>().value())>>;

/// The common type of A and B, where A, B or both contain active numbers: the number on more tapes, or a class that
/// contains numbers on a tape, such as a dual number, over both.
template <class A, class B>
consteval auto chosen_type() {
    using of_a = typename active_type<A>::type;
    using of_b = typename active_type<B>::type;
    if constexpr (has_own_operators<A> || has_own_operators<B>)
        return std::type_identity<std::conditional_t<has_own_operators<A>, A, B>>{};
    else if constexpr (!holds_actives<A> || !holds_actives<B>)
        return std::type_identity<std::conditional_t<holds_actives<A>, of_a, of_b>>{};
    else
        return std::type_identity<std::conditional_t<(depth_of_tapes<of_a> >= depth_of_tapes<of_b>), of_a, of_b>>{};
}

} // namespace expressions

/// The arm is chosen immediately: for programs that also run on active or plain numbers, and for conditions of traced
/// code that are known at compile time, such as `i == 0` in a loop.
template <class A, class B>
[[nodiscard]] constexpr auto select(bool condition, const A& a, const B& b) {
    if constexpr (expressions::holds_actives<A> || expressions::holds_actives<B>) {
        using type = typename decltype(expressions::chosen_type<A, B>())::type;
        return condition ? type(a) : type(b);
    } else {
        constexpr bool numbers = !expression<A> && !expression<B>;
        static_assert(numbers, "select: the condition is a bool, but the arms are expressions; compare "
                               "expressions, as in select(x > 0, a, b)");
        if constexpr (numbers) {
            // Traced numbers convert from and to plain ones, so ?: does not choose between the two types.
            constexpr bool joined = requires { condition ? a : b; };
            if constexpr (!joined && functions::has_functions_of_table<A>)
                return condition ? a : A(b);
            else if constexpr (!joined && functions::has_functions_of_table<B>)
                return condition ? B(a) : b;
            else
                return condition ? a : b;
        }
    }
}

/// a if the predicate holds, else b. The value and all derivatives are those of the selected arm: an infinity or NaN in
/// the other arm does not reach them. Example: `select(x > 0, sqrt(x), 0_c)`
template <predicate P, class A, class B>
CHAINRULE_PER_NODE auto select(P p, A a, B b) {
    using node = typename ternary<operations::select, P, expressions::operand<A>, expressions::operand<B>>::node;
    return expressions::joined<node>(p, expressions::as_operand(a), expressions::as_operand(b));
}

// Too few or too many arguments. (Of any class: std::select has five.)
template <class P, class A>
constexpr A select(const P&, const A& a) {
    constexpr bool three = sizeof(P) == 0;
    static_assert(three, "select: the number of arguments is not three; write select(x > 0, a, b), or "
                         "piecewise(c1, e1, c2, e2, ..., otherwise)");
    return a;
}
template <predicate P, class A, class B, class C, class... More>
constexpr A select(const P& p, const A& a, const B&, const C&, const More&...) {
    return select(p, a);
}

/// The expression after the first predicate that holds, else the last one: piecewise(c1, e1, c2, e2, ..., otherwise).
/// Example: `piecewise(x < 0, -x, x < 1, x * x, 2 * x - 1)`
template <class C, class A, class... Rest>
CHAINRULE_PER_NODE auto piecewise(C c, A a, Rest... rest) {
    constexpr bool complete = sizeof...(Rest) % 2 == 1;
    static_assert(
        complete,
        "piecewise: the last expression, for the case that no predicate holds, is missing, or a predicate is; write "
        "piecewise(c1, e1, c2, e2, ..., otherwise)");
    if constexpr (sizeof...(Rest) == 1)
        return select(c, a, rest...);
    else if constexpr (complete)
        return select(c, a, piecewise(rest...));
}

} // namespace chainrule
