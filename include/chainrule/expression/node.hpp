// SPDX-License-Identifier: BSL-1.0
//
// What is an expression's type? A nested template: binary<functions-or-operation, Left, Right>::node and so on, down to
// symbol<Name>::node, constant<N, D>::node and number<T>::node. It says everything about the expression except the
// stored numbers, which are its only data members; an expression without stored numbers is an empty type.
// expression/operators.hpp builds these types; program/lower.hpp reads them.
#pragma once

#include <chainrule/program/coefficient.hpp>

#include <boost/hana/fwd/string.hpp>
#include <boost/hana/fwd/tuple.hpp>

#include <type_traits>

// Functions that exist once per node of an expression. Their mangled names are as long as the expression, and g++ 12
// needs time cubic in it to write one; with gnu_inline, g++ neither emits nor names them (800 operations: 1.8 s to 0.2 s).
// They are always inlined, so no definition is missed.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_PER_NODE [[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr
#define CHAINRULE_PER_NODE_ADDRESSED static constexpr // functions whose address is taken need a definition
#else
#define CHAINRULE_PER_NODE [[gnu::always_inline]] inline constexpr
#define CHAINRULE_PER_NODE_ADDRESSED inline constexpr
#endif

// The class of an operation, between these two. clang (16 and 19) writes out the name of each type of which a function
// holds an object, as a tree: 10^12 characters for a chain of 400 operations on shared operands. So the class has no name
// there but that of its object, which is never defined (over 2 minutes to 8 s). nvcc would take no such type in a kernel.
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

/// The arithmetic operations, as the first argument of unary<> and binary<>.
namespace operations {
struct negate {
    enum : unsigned { code = 256 };
};
struct add {
    enum : unsigned { code = 257 };
};
struct subtract {
    enum : unsigned { code = 258 };
};
struct multiply {
    enum : unsigned { code = 259 };
};
struct divide {
    enum : unsigned { code = 260 };
};
struct select {
    enum : unsigned { code = 261 };
};
} // namespace operations

/// What a predicate says of its operands, as the first argument of predicate<>. Codes in the order of program::relation.
namespace relations {
struct less {
    enum : unsigned { code = 262 };
};
struct less_equal {
    enum : unsigned { code = 263 };
};
struct greater {
    enum : unsigned { code = 264 };
};
struct greater_equal {
    enum : unsigned { code = 265 };
};
struct equal {
    enum : unsigned { code = 266 };
};
struct not_equal {
    enum : unsigned { code = 267 };
};
struct conjunction {
    enum : unsigned { code = 268 };
};
struct disjunction {
    enum : unsigned { code = 269 };
};
struct negation {
    enum : unsigned { code = 270 };
};
} // namespace relations

namespace program {
/// What vectors and matrices of expressions are instead of an expression. (A requirement that failed for them would make
/// clang write out the types of all their elements.)
struct several {};
} // namespace program

/// Every type that users hold is a class called `node` nested in a template: argument-dependent lookup does not walk the
/// template arguments of an enclosing class, and would otherwise take exponential time on shared subexpressions.
///
/// Members that every node has: `arity`; `is_variable`; `hash`, which identifies the structure; `numbers`, how many stored numbers
/// there are, in the order in which they are written. Code branches on these constants: a concept or requirement that
/// fails on an expression makes clang write out the expression's whole type.
template <class T>
concept expression = requires { typename T::chainrule_expression; } &&
                     !std::is_same_v<typename T::chainrule_expression, program::several>;

/// What the comparison of expressions makes: what select() and piecewise() choose by.
template <class T>
concept predicate = requires { typename T::chainrule_predicate; };

template <class Name>
struct symbol;
template <program::integer Numerator, program::integer Denominator>
struct constant;
template <program::hash_value High, program::hash_value Low>
struct real_constant;
template <class T>
struct number;
template <class Operation, class A>
struct unary;
template <class Operation, class A, class B>
struct binary;
template <class Operation, class A, class B, class C>
struct ternary;
template <class Relation, class A, class B>
struct comparison;
template <class A>
struct opposite;

/// What an expression can be called with; declared here because every node has a call operator, and defined in
/// kernel/evaluate.hpp.
template <class E, class... Arguments>
constexpr auto evaluate(const E& f, Arguments... arguments);

// f(x = 2.0, y = 5.0): the value of the expression for these values of its variables.
#define CHAINRULE_CALL_OPERATOR                                                                                        \
    template <class... Arguments>                                                                                      \
    [[gnu::always_inline]] constexpr auto operator()(Arguments... arguments) const {                                   \
        return evaluate(*this, arguments...);                                                                          \
    }

/// A value given to a variable, as in f(x = 2.0).
template <class Variable, class T>
struct binding {
    using variable = Variable;
    T value;
};

/// An expression put in the place of a variable, as in substitute(f, x = g).
template <class Variable, class G>
struct substitution {
    using variable = Variable;
    G value;
};

namespace program {

/// Whether an expression is a leaf of tape mode: a stored number that knows its place on a tape.
template <class E>
inline constexpr bool is_active = requires { E::is_active; };

// Whether x = value is no number given to x. (Whether an expression is active is asked of leaves only: elsewhere the answer
// would cost clang the name of the type.)
template <class T>
consteval bool replaces_variable() {
    if constexpr (!expression<T>)
        return false;
    else if constexpr (int{T::arity} == 0)
        return !is_active<T>;
    else
        return true;
}

template <char... Characters>
constexpr hash_value hash_of_name() {
    hash_value h = 0xCBF29CE484222325ull;
    for (const char c : {Characters..., '\0'}) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return mix(h, 1);
}

} // namespace program

template <char... Characters>
struct symbol<boost::hana::string<Characters...>> {
    struct node {
        using chainrule_expression = node;
        using name = boost::hana::string<Characters...>;
        enum : int { arity = 0, numbers = 0, is_variable = 1 };
        enum : program::hash_value { hash = program::hash_of_name<Characters...>() };

        static constexpr char text[sizeof...(Characters) + 1] = {Characters..., '\0'};

        /// Gives the variable a value, for a call by name; or an expression, for substitute().
        template <class T>
        constexpr auto operator=(T value) const {
            if constexpr (program::replaces_variable<T>())
                return substitution<node, T>{value};
            else
                return binding<node, T>{value};
        }
        CHAINRULE_CALL_OPERATOR
        constexpr node() = default;
        constexpr node(const node&) = default;
        constexpr node& operator=(const node&) = default;
    };
};

template <program::integer Numerator, program::integer Denominator>
struct constant {
    struct node {
        using chainrule_expression = node;
        enum : int { arity = 0, numbers = 0, is_variable = 0 };
        enum : program::hash_value {
            hash = program::mix(static_cast<program::hash_value>(Numerator),
                                static_cast<program::hash_value>(Denominator) + 2)
        };
        static constexpr program::coefficient value() {
            return program::coefficient::fraction(Numerator, Denominator);
        }
        CHAINRULE_CALL_OPERATOR
    };
};

/// A known constant that is no fraction of 64-bit integers: the sum of two doubles, given by their bits.
template <program::hash_value High, program::hash_value Low>
struct real_constant {
    struct node {
        using chainrule_expression = node;
        enum : int { arity = 0, numbers = 0, is_variable = 0 };
        enum : program::hash_value { hash = program::mix(High, Low + 3) };
        static constexpr program::coefficient value() {
            return irrational{std::bit_cast<double>(High), std::bit_cast<double>(Low)};
        }
        CHAINRULE_CALL_OPERATOR
    };
};

/// A stored number. It has a place in the expression object but no identity in the type: two numbers of one type are
/// never taken for equal.
template <class T>
struct number {
    struct node {
        using chainrule_expression = node;
        using number_type = T;
        enum : int { arity = 0, numbers = 1, is_variable = 0 };
        enum : program::hash_value { hash = 0x5107ull };
        CHAINRULE_CALL_OPERATOR
        T value;
    };
};

namespace program {

// The operands of a node, stored only where they hold numbers.
template <class A, bool = (int{A::numbers} > 0)>
struct first_operand {};
template <class A>
struct first_operand<A, true> {
    A a;
};

} // namespace program

// A node without numbers has no members at all: g++ checks the layout of empty members against each other, in time
// proportional to the expression written out as a tree.
template <class Operation, class A>
struct unary {
    CHAINRULE_OPERATION_BEGIN : program::first_operand<A> {
        using chainrule_expression = void;
        using operation = Operation;
        using first = A;
        enum : int { arity = 1, numbers = A::numbers, is_variable = 0 };
        enum : program::hash_value { hash = program::mix(Operation::code, A::hash) };
        CHAINRULE_CALL_OPERATOR
    } CHAINRULE_OPERATION_END
};

namespace program {

template <class A, class B, bool = (int{A::numbers} > 0), bool = (int{B::numbers} > 0)>
struct operands {};
template <class A, class B>
struct operands<A, B, true, false> {
    A a;
};
template <class A, class B>
struct operands<A, B, false, true> {
    B b;
};
template <class A, class B>
struct operands<A, B, true, true> {
    A a;
    B b;
};

} // namespace program

template <class Operation, class A, class B>
struct binary {
    CHAINRULE_OPERATION_BEGIN : program::operands<A, B> {
        using chainrule_expression = void;
        using operation = Operation;
        using first = A;
        using second = B;
        enum : int { arity = 2, numbers = int{A::numbers} + int{B::numbers}, is_variable = 0 };
        enum : program::hash_value { hash = program::mix(program::mix(Operation::code, A::hash), B::hash) };
        CHAINRULE_CALL_OPERATOR
    } CHAINRULE_OPERATION_END
};

namespace program {

template <class B, bool = (int{B::numbers} > 0)>
struct second_operand {};
template <class B>
struct second_operand<B, true> {
    B b;
};
template <class C, bool = (int{C::numbers} > 0)>
struct third_operand {};
template <class C>
struct third_operand<C, true> {
    C c;
};
template <class A, class B, class C, bool = (int{A::numbers} + int{B::numbers} + int{C::numbers} > 0)>
struct three_operands {};
template <class A, class B, class C>
struct three_operands<A, B, C, true> : first_operand<A>, second_operand<B>, third_operand<C> {};

} // namespace program

template <class Operation, class A, class B, class C>
struct ternary {
    CHAINRULE_OPERATION_BEGIN : program::three_operands<A, B, C> {
        using chainrule_expression = void;
        using operation = Operation;
        using first = A;
        using second = B;
        using third = C;
        enum : int { arity = 3, numbers = int{A::numbers} + int{B::numbers} + int{C::numbers}, is_variable = 0 };
        enum : program::hash_value {
            hash = program::mix(program::mix(program::mix(Operation::code, A::hash), B::hash), C::hash)
        };
        CHAINRULE_CALL_OPERATOR
    } CHAINRULE_OPERATION_END
};

// A predicate is no number: only select(), piecewise(), && || and ! take it.
#define CHAINRULE_PREDICATE                                                                                            \
    using chainrule_predicate = void;                                                                                  \
    template <class T>                                                                                                 \
        requires(std::is_same_v<T, bool>)                                                                              \
    explicit constexpr operator T() const {                                                                            \
        static_assert(!std::is_same_v<T, bool>,                                                                        \
                      "comparison: an expression is neither true nor false before its variables have values; choose "  \
                      "with select(x > 0, a, b), or compare values, as in f(x = 2.0) > 0");                            \
        return false;                                                                                                  \
    }

/// The comparison of two expressions, or two predicates joined by && or ||.
template <class Relation, class A, class B>
struct comparison {
    CHAINRULE_OPERATION_BEGIN : program::operands<A, B> {
        using operation = Relation;
        using first = A;
        using second = B;
        enum : int { arity = 2, numbers = int{A::numbers} + int{B::numbers}, is_variable = 0 };
        enum : program::hash_value { hash = program::mix(program::mix(Relation::code, A::hash), B::hash) };
        CHAINRULE_PREDICATE
    } CHAINRULE_OPERATION_END
};

/// A predicate that holds where another does not.
template <class A>
struct opposite {
    CHAINRULE_OPERATION_BEGIN : program::first_operand<A> {
        using operation = relations::negation;
        using first = A;
        enum : int { arity = 1, numbers = A::numbers, is_variable = 0 };
        enum : program::hash_value { hash = program::mix(relations::negation::code, A::hash) };
        CHAINRULE_PREDICATE
    } CHAINRULE_OPERATION_END
};
#undef CHAINRULE_PREDICATE

namespace program {

template <bool IsRelation, class Operation, class... Operand>
struct operation_on;
template <class Operation, class A>
struct operation_on<false, Operation, A> : unary<Operation, A> {};
template <class Operation, class A, class B>
struct operation_on<false, Operation, A, B> : binary<Operation, A, B> {};
template <class Operation, class A, class B, class C>
struct operation_on<false, Operation, A, B, C> : ternary<Operation, A, B, C> {};
template <class Relation, class A>
struct operation_on<true, Relation, A> : opposite<A> {};
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

/// Hands the stored numbers of f to `visit`, in the order in which they are written; active numbers as they are.
template <class Visitor, class E>
CHAINRULE_PER_NODE void for_each_number([[maybe_unused]] const E& f, [[maybe_unused]] Visitor& visit) {
    if constexpr (int{E::numbers} > 0) {
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

} // namespace program

#undef CHAINRULE_CALL_OPERATOR
#undef CHAINRULE_OPERATION_BEGIN
#undef CHAINRULE_OPERATION_END

} // namespace chainrule
