// SPDX-License-Identifier: BSL-1.0
//
// The types of expressions: binary<functions-or-operation, Left, Right>::node and so on, down to symbol<Name>::node,
// constant<N, D>::node and number<T>::node. The type describes the whole expression except the stored numbers, which
// are its only data members; an expression without stored numbers has an empty type. Types with long names are named by
// hashes instead (expression/abbreviation.hpp). expression/operators.hpp builds these types; graph/lower.hpp reads
// them.
#pragma once

#include <chainrule/expression/operands.hpp>
#include <chainrule/expression/operations.hpp>

// The class of an operation is defined between these two. clang (16 and 19) writes out the name of the type of each
// object in a function. So on clang the class is unnamed except for an object that is never defined. nvcc does not
// accept such a type in a kernel.
#if defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_OPERATION_BEGIN static struct
#define CHAINRULE_OPERATION_END                                                                                        \
    object;                                                                                                            \
    using node = decltype(object);
#else
#define CHAINRULE_OPERATION_BEGIN struct node
#define CHAINRULE_OPERATION_END ;
#endif

namespace chainrule {

// What follows from the operation and the operands of a node.
#define CHAINRULE_UNARY_MEMBERS                                                                                        \
    enum : int { arity = 1, numbers = first::numbers, is_variable = 0, depth = int{first::depth} + 1 };                \
    using shortcut = expressions::shortcut_of<first>;                                                                  \
    enum : core::hash_value { hash = core::hash_of_operation(operation::code, first::hash) };
#define CHAINRULE_BINARY_MEMBERS                                                                                       \
    enum : int { arity = 2, numbers = int{first::numbers} + int{second::numbers}, is_variable = 0 };                   \
    using deeper = expressions::deeper_of<first, second>;                                                              \
    enum : int { depth = int{deeper::depth} + 1 };                                                                     \
    using shortcut = expressions::shortcut_of<deeper>;                                                                 \
    enum : core::hash_value { hash = core::hash_of_operation(operation::code, first::hash, second::hash) };
#define CHAINRULE_TERNARY_MEMBERS                                                                                      \
    enum : int {                                                                                                       \
        arity = 3,                                                                                                     \
        numbers = int{first::numbers} + int{second::numbers} + int{third::numbers},                                    \
        is_variable = 0                                                                                                \
    };                                                                                                                 \
    using deeper = expressions::deeper_of<first, expressions::deeper_of<second, third>>;                               \
    enum : int { depth = int{deeper::depth} + 1 };                                                                     \
    using shortcut = expressions::shortcut_of<deeper>;                                                                 \
    enum : core::hash_value { hash = core::hash_of_operation(operation::code, first::hash, second::hash, third::hash) };

// A predicate is not a number: only select(), piecewise(), && || and ! accept it.
#define CHAINRULE_PREDICATE                                                                                            \
    using chainrule_predicate = void;                                                                                  \
    constexpr operator double() const = delete; /* an inherited one */                                                 \
    template <class T>                                                                                                 \
    requires(std::is_same_v<T, bool>)                                                                                  \
    explicit constexpr operator T() const

/// Assigning another expression: one sentence in place of two types. (An object of the same type is assigned.)
#define CHAINRULE_REFUSED_ASSIGNMENT                                                                                   \
    template <class Other>                                                                                             \
    constexpr void operator=(const Other&) {                                                                           \
        expressions::refused_assignment<Other>(*this);                                                                 \
    }

/// The type of an operation on long expressions, named by their hashes: expression/abbreviation.hpp.
template <class Operation, core::hash_value... Operand>
struct abbreviated;
/// The same of a comparison or of predicates joined by && || !.
template <class Relation, core::hash_value... Operand>
struct abbreviated_predicate;

template <class Operation, core::hash_value A>
struct abbreviated<Operation, A>
    : decltype(expressions::unary_base<typename expressions::operands_behind<Operation, A>::first>()) {
    using operation = Operation;
    using first = typename expressions::operands_behind<Operation, A>::first;
    enum : int { name_length = 2 };
    CHAINRULE_UNARY_MEMBERS
    using chainrule_expression = void;
    CHAINRULE_REFUSED_ASSIGNMENT
    CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
};
template <class Operation, core::hash_value A, core::hash_value B>
struct abbreviated<Operation, A, B>
    : decltype(expressions::binary_base<typename expressions::operands_behind<Operation, A, B>::first,
                                        typename expressions::operands_behind<Operation, A, B>::second>()) {
    using operation = Operation;
    using first = typename expressions::operands_behind<Operation, A, B>::first;
    using second = typename expressions::operands_behind<Operation, A, B>::second;
    enum : int { name_length = 2 };
    CHAINRULE_BINARY_MEMBERS
    using chainrule_expression = void;
    CHAINRULE_REFUSED_ASSIGNMENT
    CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
};
template <class Operation, core::hash_value A, core::hash_value B, core::hash_value C>
struct abbreviated<Operation, A, B, C>
    : decltype(expressions::ternary_base<typename expressions::operands_behind<Operation, A, B, C>::first,
                                         typename expressions::operands_behind<Operation, A, B, C>::second,
                                         typename expressions::operands_behind<Operation, A, B, C>::third>()) {
    using operation = Operation;
    using first = typename expressions::operands_behind<Operation, A, B, C>::first;
    using second = typename expressions::operands_behind<Operation, A, B, C>::second;
    using third = typename expressions::operands_behind<Operation, A, B, C>::third;
    enum : int { name_length = 2 };
    CHAINRULE_TERNARY_MEMBERS
    using chainrule_expression = void;
    CHAINRULE_REFUSED_ASSIGNMENT
    CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
};
template <class Relation, core::hash_value A>
struct abbreviated_predicate<Relation, A>
    : decltype(expressions::unary_base<typename expressions::operands_behind<Relation, A>::first>()) {
    using operation = Relation;
    using first = typename expressions::operands_behind<Relation, A>::first;
    enum : int { name_length = 2 };
    CHAINRULE_UNARY_MEMBERS
    CHAINRULE_PREDICATE { return expressions::refused_as_truth<operation, T>(); }
};
template <class Relation, core::hash_value A, core::hash_value B>
struct abbreviated_predicate<Relation, A, B>
    : decltype(expressions::binary_base<typename expressions::operands_behind<Relation, A, B>::first,
                                        typename expressions::operands_behind<Relation, A, B>::second>()) {
    using operation = Relation;
    using first = typename expressions::operands_behind<Relation, A, B>::first;
    using second = typename expressions::operands_behind<Relation, A, B>::second;
    enum : int { name_length = 2 };
    CHAINRULE_BINARY_MEMBERS
    CHAINRULE_PREDICATE { return expressions::refused_as_truth<operation, T>(); }
};

/// An operation on one expression: a negation or a function of the table.
template <class Operation, class A, bool = expressions::is_abbreviated(int{A::name_length}, Operation::code)>
struct unary {
    CHAINRULE_OPERATION_BEGIN : decltype(expressions::unary_base<A>()) {
        using operation = Operation;
        using first = A;
        enum : int { name_length = expressions::length_of_name(int{A::name_length}, Operation::code) };
        CHAINRULE_UNARY_MEMBERS
        using chainrule_expression = void;
        CHAINRULE_REFUSED_ASSIGNMENT
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
    }
    CHAINRULE_OPERATION_END
};
template <class Operation, class A>
struct unary<Operation, A, true> : expressions::abbreviation<Operation, A> {
    using node = abbreviated<Operation, A::hash>;
};

/// An operation on two expressions: + - * / or a function of the table.
template <class Operation, class A, class B,
          bool = expressions::is_abbreviated(int{A::name_length} + int{B::name_length}, Operation::code)>
struct binary {
    CHAINRULE_OPERATION_BEGIN : decltype(expressions::binary_base<A, B>()) {
        using operation = Operation;
        using first = A;
        using second = B;
        enum : int {
            name_length = expressions::length_of_name(int{A::name_length} + int{B::name_length}, Operation::code)
        };
        CHAINRULE_BINARY_MEMBERS
        using chainrule_expression = void;
        CHAINRULE_REFUSED_ASSIGNMENT
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
    }
    CHAINRULE_OPERATION_END
};
template <class Operation, class A, class B>
struct binary<Operation, A, B, true> : expressions::abbreviation<Operation, A, B> {
    using node = abbreviated<Operation, A::hash, B::hash>;
};

/// An operation on three expressions: select() or a function of the table.
template <class Operation, class A, class B, class C,
          bool = expressions::is_abbreviated(int{A::name_length} + int{B::name_length} + int{C::name_length},
                                             Operation::code)>
struct ternary {
    CHAINRULE_OPERATION_BEGIN : decltype(expressions::ternary_base<A, B, C>()) {
        using operation = Operation;
        using first = A;
        using second = B;
        using third = C;
        enum : int {
            name_length = expressions::length_of_name(int{A::name_length} + int{B::name_length} + int{C::name_length},
                                                      Operation::code)
        };
        CHAINRULE_TERNARY_MEMBERS
        using chainrule_expression = void;
        CHAINRULE_REFUSED_ASSIGNMENT
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
    }
    CHAINRULE_OPERATION_END
};
template <class Operation, class A, class B, class C>
struct ternary<Operation, A, B, C, true> : expressions::abbreviation<Operation, A, B, C> {
    using node = abbreviated<Operation, A::hash, B::hash, C::hash>;
};

/// The comparison of two expressions, or two predicates joined by && or ||.
template <class Relation, class A, class B,
          bool = expressions::is_abbreviated(int{A::name_length} + int{B::name_length}, Relation::code)>
struct comparison {
    CHAINRULE_OPERATION_BEGIN : decltype(expressions::binary_base<A, B>()) {
        using operation = Relation;
        using first = A;
        using second = B;
        enum : int {
            name_length = expressions::length_of_name(int{A::name_length} + int{B::name_length}, Relation::code)
        };
        CHAINRULE_BINARY_MEMBERS
        CHAINRULE_PREDICATE { return expressions::refused_as_truth<operation, T>(); }
    }
    CHAINRULE_OPERATION_END
};
template <class Relation, class A, class B>
struct comparison<Relation, A, B, true> : expressions::abbreviation<Relation, A, B> {
    using node = abbreviated_predicate<Relation, A::hash, B::hash>;
};

/// The negation of a predicate.
template <class Relation, class A, bool = expressions::is_abbreviated(int{A::name_length}, Relation::code)>
struct logical_not {
    CHAINRULE_OPERATION_BEGIN : decltype(expressions::unary_base<A>()) {
        using operation = Relation;
        using first = A;
        enum : int { name_length = expressions::length_of_name(int{A::name_length}, Relation::code) };
        CHAINRULE_UNARY_MEMBERS
        CHAINRULE_PREDICATE { return expressions::refused_as_truth<operation, T>(); }
    }
    CHAINRULE_OPERATION_END
};
template <class Relation, class A>
struct logical_not<Relation, A, true> : expressions::abbreviation<Relation, A> {
    using node = abbreviated_predicate<Relation, A::hash>;
};
#undef CHAINRULE_PREDICATE
#undef CHAINRULE_UNARY_MEMBERS
#undef CHAINRULE_REFUSED_ASSIGNMENT
#undef CHAINRULE_BINARY_MEMBERS
#undef CHAINRULE_TERNARY_MEMBERS

namespace expressions {

template <bool IsRelation, class Operation, class... Operand>
struct operation_on;
template <class Operation, class A>
struct operation_on<false, Operation, A> : unary<Operation, A> {};
template <class Operation, class A, class B>
struct operation_on<false, Operation, A, B> : binary<Operation, A, B> {};
template <class Operation, class A, class B, class C>
struct operation_on<false, Operation, A, B, C> : ternary<Operation, A, B, C> {};
template <class Relation, class A>
struct operation_on<true, Relation, A> : logical_not<Relation, A> {};
template <class Relation, class A, class B>
struct operation_on<true, Relation, A, B> : comparison<Relation, A, B> {};
/// The node of an operation, function or relation on operands.
template <class Operation, class... Operand>
using node_of = typename operation_on<(hash_value{Operation::code} >= hash_value{relations::less::code} &&
                                       hash_value{Operation::code} <= hash_value{relations::negation::code}),
                                      Operation, Operand...>::node;

/// A stored number without its place on a tape.
template <class N>
[[nodiscard, gnu::always_inline]] constexpr const auto& plain(const N& number) {
    if constexpr (is_active<N>)
        return number.value();
    else
        return number;
}

/// Whether a T has a place on a tape, or parts that have, as a dual number of active ones.
template <class T>
inline constexpr bool has_places = is_active<T>;
template <class T>
requires requires(const T& x) { x.tangents, x.value; }
inline constexpr bool has_places<T> = has_places<decltype(T::value)>;
/// A stored number as a T: without its place on a tape, unless it keeps that in a T. (One on more tapes than a T
/// becomes a T on the last of these.)
template <class T, class N>
[[nodiscard, gnu::always_inline]] constexpr T number_as(const N& number) {
    if constexpr (is_active<N> && has_places<T>) {
        if constexpr (std::is_same_v<typename N::plain_number, T>)
            return number.value();
        else
            return static_cast<T>(number);
    } else {
        return static_cast<T>(expressions::plain(number));
    }
}

/// Passes the stored numbers of f to `visit`, in the order in which they are written; active numbers unchanged.
template <class Visitor, class E>
CHAINRULE_PER_NODE void for_each_number([[maybe_unused]] const E& f, [[maybe_unused]] Visitor& visit) {
    if constexpr (int{E::numbers} > 0) {
        if constexpr (int{E::arity} != 0) CHAINRULE_SHORTCUT((for_each_number<Visitor, typename E::shortcut>));
        if constexpr (int{E::arity} == 0) {
            if constexpr (is_active<E>)
                visit(f);
            else
                visit(f.value);
        } else {
            if constexpr (int{E::first::numbers} > 0) for_each_number(f.a, visit);
            if constexpr (int{E::arity} >= 2)
                if constexpr (int{E::second::numbers} > 0) for_each_number(f.b, visit);
            if constexpr (int{E::arity} == 3)
                if constexpr (int{E::third::numbers} > 0) for_each_number(f.c, visit);
        }
    }
}

} // namespace expressions

#undef CHAINRULE_CALL_OPERATOR
#undef CHAINRULE_OPERATION_BEGIN
#undef CHAINRULE_OPERATION_END

} // namespace chainrule
