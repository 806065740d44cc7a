// SPDX-License-Identifier: BSL-1.0
//
// The operands of a node: base classes that store those that hold numbers, and the shortcut to a node far below, with
// which compilers descend into deep expressions.
#pragma once

#include <chainrule/expression/leaves.hpp>

namespace chainrule {

namespace expressions {

// Deep expressions. A template of each node that instantiates that of the operands would nest as deep as the
// expression, beyond the limits of compilers and clang's stack. So each node knows its depth and its shortcut: a node
// up to 24 levels below, on the path through the deeper operands. Templates instantiate the shortcut's first. Compilers
// thus descend from shortcut to shortcut in large steps and return in short ones: the operands are then instantiated.
template <bool First>
struct deeper_operand {
    template <class A, class>
    using type = A;
};
template <>
struct deeper_operand<false> {
    template <class, class B>
    using type = B;
};
template <class A, class B>
using deeper_of = typename deeper_operand<(int{A::depth} >= int{B::depth})>::template type<A, B>;
template <bool Here>
struct shortcut_target {
    template <class E>
    using type = E;
};
template <>
struct shortcut_target<false> {
    template <class E>
    using type = typename E::shortcut;
};
template <class E>
using shortcut_of = typename shortcut_target<int{E::depth} % 24 == 0>::template type<E>;

template <class E, bool = expression<E>>
inline constexpr int arity_with_numbers = -1;
template <class E>
inline constexpr int arity_with_numbers<E, true> = int{E::numbers} > 0 ? int{E::arity} : -1;

/// Whether an expression contains active numbers (tape/) and so has a value.
template <class E, int Arity = arity_with_numbers<E>>
inline constexpr bool holds_actives = false;
template <class E>
inline constexpr bool holds_actives<E, 0> = is_active<E>;
template <class E>
inline constexpr bool holds_actives<E, 1> = holds_actives<typename E::first>;
template <class E>
inline constexpr bool holds_actives<E, 2> = holds_actives<typename E::first> || holds_actives<typename E::second>;
template <class E>
inline constexpr bool holds_actives<E, 3> =
    holds_actives<typename E::first> || holds_actives<typename E::second> || holds_actives<typename E::third>;

template <class Nobody>
void refused_without_operands() {
    constexpr bool is_number = sizeof(std::type_identity<Nobody>) == 0;
    static_assert(is_number, "T x{}: T is the type of a formula, such as that of a * b, and not of a number; state the "
                             "type of the numbers in the call, as in f<active<double>>(a * b)");
}
// Stored operands have constructors: in a template whose T was deduced from a formula, T{} and T{2.0} would otherwise
// be the formula of numbers that nobody gave. (The default constructor is a template, and not constexpr: the traits of
// std::pair and std::tuple, which hold formulas, would instantiate another one.)
#define CHAINRULE_NOT_WITHOUT_OPERANDS(CLASS)                                                                          \
    template <class Nobody = void>                                                                                     \
    CLASS() {                                                                                                          \
        refused_without_operands<Nobody>();                                                                            \
    }
#define CHAINRULE_ONE_OPERAND(CLASS, A, a)                                                                             \
    A a;                                                                                                               \
    CHAINRULE_NOT_WITHOUT_OPERANDS(CLASS)                                                                              \
    [[gnu::always_inline]] constexpr CLASS(const A& first) : a(first) {}
#define CHAINRULE_TWO_OPERANDS(CLASS, A, a, B, b)                                                                      \
    A a;                                                                                                               \
    B b;                                                                                                               \
    CHAINRULE_NOT_WITHOUT_OPERANDS(CLASS)                                                                              \
    [[gnu::always_inline]] constexpr CLASS(const A& first, const B& second) : a(first), b(second) {}
#define CHAINRULE_THREE_OPERANDS(CLASS)                                                                                \
    A a;                                                                                                               \
    B b;                                                                                                               \
    C c;                                                                                                               \
    CHAINRULE_NOT_WITHOUT_OPERANDS(CLASS)                                                                              \
    [[gnu::always_inline]] constexpr CLASS(const A& first, const B& second, const C& third)                            \
        : a(first), b(second), c(third) {}

// An expression is not a number: each has a conversion to double, which is refused with a sentence, once for all
// operands of a call. Operations inherit it, since debug information lists it for each class that has it. (For a
// constant that depends on the class, such as its size: clang would refuse at once.)

// The operands of a node, stored only if they hold numbers. A node without numbers has no members: g++ compares the
// layout of empty members, in time proportional to the expression written out as a tree.
template <class A, bool = (int{A::numbers} > 0)>
struct first_operand {};
template <class A>
struct first_operand<A, true> {
    CHAINRULE_ONE_OPERAND(first_operand, A, a)
    constexpr operator double() const { return refused_as_number<holds_actives<A>>(); }
};

// Whether a node is copied number by number: a long statement of active numbers. g++ copies a long object in blocks of
// 16 bytes or more, and each block waits for the numbers of 8 bytes that were stored there.
template <class A, class B>
consteval bool is_copied_by_member() {
    if constexpr (sizeof(A) + sizeof(B) <= 64)
        return false;
    else
        return holds_actives<A> || holds_actives<B>;
}
template <class A, class B, bool ByMember>
struct two_operands {
    CHAINRULE_TWO_OPERANDS(two_operands, A, a, B, b)
};
template <class A, class B>
struct two_operands<A, B, true> {
    CHAINRULE_TWO_OPERANDS(two_operands, A, a, B, b)
    [[gnu::always_inline]] constexpr two_operands(const two_operands& other) : a(other.a), b(other.b) {}
};

template <class A, class B, bool = (int{A::numbers} > 0), bool = (int{B::numbers} > 0)>
struct operands {};
template <class A, class B>
struct operands<A, B, true, false> {
    CHAINRULE_ONE_OPERAND(operands, A, a)
    constexpr operator double() const { return refused_as_number<holds_actives<A>>(); }
};
template <class A, class B>
struct operands<A, B, false, true> {
    CHAINRULE_ONE_OPERAND(operands, B, b)
    constexpr operator double() const { return refused_as_number<holds_actives<B>>(); }
};
template <class A, class B>
struct operands<A, B, true, true> : two_operands<A, B, is_copied_by_member<A, B>()> {
    constexpr operator double() const { return refused_as_number<(holds_actives<A> || holds_actives<B>)>(); }
};

// One specialisation for each combination: g++ takes an object that was cast from its numbers for no constant if an
// operand without numbers is an empty base class.
template <class A, class B, class C, bool = (int{A::numbers} > 0), bool = (int{B::numbers} > 0),
          bool = (int{C::numbers} > 0)>
struct three_operands {};
#define CHAINRULE_OPERANDS(HAS_A, HAS_B, HAS_C, ...)                                                                   \
    template <class A, class B, class C>                                                                               \
    struct three_operands<A, B, C, HAS_A, HAS_B, HAS_C> {                                                              \
        __VA_ARGS__                                                                                                    \
        constexpr operator double() const {                                                                            \
            return refused_as_number<(holds_actives<A> || holds_actives<B> || holds_actives<C>)>();                    \
        }                                                                                                              \
    };
CHAINRULE_OPERANDS(true, false, false, CHAINRULE_ONE_OPERAND(three_operands, A, a))
CHAINRULE_OPERANDS(false, true, false, CHAINRULE_ONE_OPERAND(three_operands, B, b))
CHAINRULE_OPERANDS(false, false, true, CHAINRULE_ONE_OPERAND(three_operands, C, c))
CHAINRULE_OPERANDS(true, true, false, CHAINRULE_TWO_OPERANDS(three_operands, A, a, B, b))
CHAINRULE_OPERANDS(true, false, true, CHAINRULE_TWO_OPERANDS(three_operands, A, a, C, c))
CHAINRULE_OPERANDS(false, true, true, CHAINRULE_TWO_OPERANDS(three_operands, B, b, C, c))
CHAINRULE_OPERANDS(true, true, true, CHAINRULE_THREE_OPERANDS(three_operands))
#undef CHAINRULE_OPERANDS
#undef CHAINRULE_THREE_OPERANDS
#undef CHAINRULE_TWO_OPERANDS
#undef CHAINRULE_ONE_OPERAND
#undef CHAINRULE_NOT_WITHOUT_OPERANDS

// The base class of a node. Without numbers it is always the same. It is the result of a function that is never
// defined, since debug information would write out the operands in the name of an alias.
template <class>
struct without_numbers {
    enum : int { numbers = 0 };
    constexpr operator double() const { return refused_as_number<sizeof(*this) == 0>(); }
};
using no_numbers = without_numbers<void>;
template <bool Any>
struct base {
    template <class Operands>
    static Operands of();
};
template <>
struct base<false> {
    template <class>
    static no_numbers of();
};
template <class A>
auto unary_base() -> decltype(base<(int{A::numbers} > 0)>::template of<first_operand<A>>());
template <class A, class B>
auto binary_base() -> decltype(base<(int{A::numbers} + int{B::numbers} > 0)>::template of<operands<A, B>>());
template <class A, class B, class C>
auto ternary_base() -> decltype(base<(int{A::numbers} + int{B::numbers} + int{C::numbers} >
                                      0)>::template of<three_operands<A, B, C>>());

} // namespace expressions

} // namespace chainrule
