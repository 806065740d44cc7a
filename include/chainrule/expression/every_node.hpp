// SPDX-License-Identifier: BSL-1.0
//
// What every node of an expression is: the concept, the members, and the functions that exist once per node.
#pragma once

#include <chainrule/core/hash.hpp>

#include <type_traits>

// Functions that exist once per node of an expression. Their mangled names are as long as the expression, and g++ 12
// needs time cubic in the length to write one. With gnu_inline, g++ neither emits nor names them (800 operations: 1.8 s
// to 0.2 s). They are always inlined, so no definition is missing.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define CHAINRULE_PER_NODE [[gnu::always_inline, gnu::gnu_inline]] extern inline constexpr
#define CHAINRULE_PER_NODE_ADDRESSED static constexpr // functions whose address is taken need a definition
#else
#define CHAINRULE_PER_NODE [[gnu::always_inline]] inline constexpr
#define CHAINRULE_PER_NODE_ADDRESSED inline constexpr
#endif

// clang instantiates a constexpr function where it is first named, so instantiations for operands nest. These functions
// first name that of the node's shortcut (expression/operands.hpp), which limits the nesting depth.
#if defined(__clang__)
#define CHAINRULE_SHORTCUT(FUNCTION) static_cast<void>(FUNCTION)
#else
#define CHAINRULE_SHORTCUT(FUNCTION) static_cast<void>(0)
#endif

namespace chainrule {

namespace expressions {
/// Vectors and matrices of expressions have this kind instead of being expressions. (A requirement that failed for them
/// would make clang write out the types of all their elements.)
struct several {};
} // namespace expressions

/// The type of every expression is a class `node` nested in a template: argument-dependent lookup does not visit the
/// template arguments of an enclosing class, and would otherwise take exponential time on shared subexpressions.
///
/// Members that every node has: `arity`; `is_variable`; `depth`; `hash`, which identifies the structure except for
/// collisions, which are checked; `numbers`, the count of stored numbers, in the order in which they are written. Code
/// branches on these constants: a concept or requirement that fails on an expression makes clang write out the
/// expression's whole type.
template <class T>
concept expression = requires { typename T::chainrule_expression; } &&
                     !std::is_same_v<typename T::chainrule_expression, expressions::several>;
namespace expressions {
/// A vector or matrix of expressions.
template <class T>
concept array_of_expressions = std::is_same_v<typename T::chainrule_expression, several>;
} // namespace expressions

/// The result of comparing expressions: the condition of select() and piecewise().
template <class T>
concept predicate = requires { typename T::chainrule_predicate; };

/// The type of a variable: symbol<Name>::node.
template <class Name>
struct symbol;
template <core::integer Numerator, core::integer Denominator>
struct constant;
template <core::hash_value High, core::hash_value Low>
struct real_constant;
template <class T>
struct number;

namespace expressions {
/// Accepts the arguments of a call by name. Declared here because every node has a call operator, and defined in
/// entry/evaluate.hpp.
template <class E, class... Arguments>
constexpr auto evaluate(const E& f, Arguments... arguments);

/// A node without numbers. It is made by a function, since in debug information clang would write out its operands in
/// the scope of the alias `node`.
template <class Node>
CHAINRULE_PER_NODE Node empty() {
    return {};
}
/// What an expression is refused as, each with a sentence: expression/refusals.hpp.
template <bool HoldsActives>
constexpr double refused_as_number();
template <bool Defined>
constexpr double constant_refused_as_number();
template <class... Point>
constexpr double refused_as_function();
template <class From, class To>
constexpr void refused_assignment(const To&);
template <class Relation, class T>
constexpr T refused_as_truth();
} // namespace expressions

// The members that every expression has. f(x = 2.0, y = 5.0) is its value for these values of its variables. (Defined
// until the end of node.hpp. The body is behind the macro: clang prints three lines more for a call in a macro.)
#define CHAINRULE_CALL_OPERATOR                                                                                        \
    template <class... Point>                                                                                          \
    constexpr double gradient(const Point&...) const {                                                                 \
        return expressions::refused_as_function<Point...>();                                                           \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    [[gnu::always_inline]] constexpr auto operator()(Arguments... arguments) const

} // namespace chainrule
