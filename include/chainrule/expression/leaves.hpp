// SPDX-License-Identifier: BSL-1.0
//
// The leaves of an expression (variables, exact constants, stored numbers) and the members that every node has.
#pragma once

#include <chainrule/core/coefficient.hpp>
#include <chainrule/core/step.hpp>
#include <chainrule/expression/abbreviation.hpp>

#include <boost/hana/fwd/string.hpp>
#include <boost/hana/fwd/tuple.hpp>

#include <type_traits>
#include <utility>

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

// An expression is not a number: each has a conversion to double, which is refused with a sentence, once for all
// operands of a call. Operations inherit it, since debug information lists it for each class that has it. (For a
// constant that depends on the class, such as its size: clang would refuse at once.)

// The members that every expression has. f(x = 2.0, y = 5.0) is its value for these values of its variables. (Defined
// until the end of node.hpp. The body is behind the macro: clang prints three lines more for a call in a macro.)
#define CHAINRULE_CALL_OPERATOR                                                                                        \
    template <class... Point>                                                                                          \
    constexpr double gradient(const Point&...) const {                                                                 \
        return expressions::refused_as_function<Point...>();                                                           \
    }                                                                                                                  \
    template <class... Arguments>                                                                                      \
    [[gnu::always_inline]] constexpr auto operator()(Arguments... arguments) const

/// A value for a variable, as in f(x = 2.0).
template <class Variable, class T>
struct binding {
    using binding_type = binding; // that of a class derived from it
    using variable = Variable;
    T value; ///< a number or a range
};

/// The binding of a double, with a short name: compilers write out the types of a call's arguments in their messages.
template <char... Name>
struct bound_double : binding<typename symbol<boost::hana::string<Name...>>::node, double> {};

template <class Variable, class T>
inline constexpr int expressions::name_length_of<binding<Variable, T>> =
    code_of_number<T> == 0 ? int{never_abbreviated} : 1;
template <class Variable, class T>
inline constexpr core::hash_value expressions::hash_of_element<binding<Variable, T>> =
    core::mix(Variable::hash, code_of_number<T>);

/// An expression that replaces a variable, as in substitute(f, x = g).
template <class Variable, class G>
struct substitution {
    using variable = Variable;
    G value; ///< the expression in its place
};

namespace expressions {

/// The value of a binding to a range, as in over(x = column), which refers to the range instead of copying data.
template <class Range>
struct range_reference {
    const Range* range;
};

/// Numbers in braces, as in given(v = {1.0, 2.0}), copied.
template <class T, std::size_t Size>
struct listed_numbers {
    static constexpr std::size_t extent = Size;
    T numbers[Size];
    [[nodiscard]] constexpr T* data() { return numbers; } // an owner
    [[nodiscard]] constexpr const T* data() const { return numbers; }
    [[nodiscard]] constexpr std::size_t size() const { return Size; }
    [[nodiscard]] constexpr const T* begin() const { return numbers; }
    [[nodiscard]] constexpr const T* end() const { return numbers + Size; }
};
template <class T, std::size_t Size>
constexpr auto listed(const T (&numbers)[Size]) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        if constexpr (std::is_array_v<T>)
            return listed_numbers<decltype(listed(numbers[0])), Size>{{listed(numbers[I])...}};
        else
            return listed_numbers<T, Size>{{numbers[I]...}};
    }(std::make_index_sequence<Size>{});
}

/// Whether an expression is a leaf of tape mode: a stored number that knows its position on a tape.
template <class E>
inline constexpr bool is_active = requires { E::is_active; };

/// Whether T is a number of traced code.
template <class T>
inline constexpr bool is_traced = false; // trace/refusals.hpp

// Whether x = value replaces x by an expression instead of binding a number. (Only leaves are tested for being active,
// since clang would write out the name of any other type.)
template <class T>
consteval bool replaces_variable() {
    if constexpr (!expression<T>)
        return false;
    else if constexpr (int{T::arity} == 0)
        return !is_active<T>;
    else
        return true;
}

/// Whether a class that may be a view owns its numbers: std::array does, and what lends them for writing only if it may
/// be written itself.
template <class T>
consteval bool is_owner() {
    if constexpr (requires { std::tuple_size<T>::value; })
        return true;
    else
        return !std::is_same_v<decltype(std::declval<T&>().data()), decltype(std::declval<const T&>().data())>;
}
/// Whether x = value refers to the value instead of copying it: an array, or a class that owns numbers. A span or
/// another small view is copied.
template <class T>
consteval bool is_bound_by_reference() {
    if constexpr (std::is_array_v<T>)
        return true;
    else if constexpr (!std::is_class_v<T> || !requires(const T& range) {
                           range.data();
                           range.size();
                       })
        return false;
    else if constexpr (sizeof(T) > 3 * sizeof(void*) || !std::is_trivially_copyable_v<T>)
        return true;
    else
        return is_owner<T>();
}

/// variable = value: a binding of a number or a range, or a substitution of an expression.
template <class Variable, bool Temporary, class T>
[[gnu::always_inline]] constexpr auto bound_to(const T& value) {
    if constexpr (replaces_variable<T>())
        return substitution<Variable, T>{value};
    else if constexpr (!Temporary && is_bound_by_reference<T>())
        return binding<Variable, range_reference<T>>{{&value}};
    else if constexpr (std::is_array_v<T>)
        return binding<Variable, const std::remove_extent_t<T>*>{value};
    else if constexpr (std::is_same_v<T, double> && !std::is_void_v<Variable>)
        return typename Variable::bound_double{{value}};
    else
        return binding<Variable, std::decay_t<T>>{value};
}

template <char... Characters>
constexpr hash_value hash_of_name() {
    hash_value h = 0xCBF29CE484222325ull;
    for (const char c : {Characters..., '\0'}) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
    return hash_of(hashed::variable, h);
}

} // namespace expressions

#define CHAINRULE_BINDING                                                                                              \
    [[nodiscard("x = ...: an assignment does not change a variable; use it in a call, as in f(x = 2.0) or "            \
                "substitute(f, x = g), and give each new expression its own name")]] constexpr auto

template <char... Characters>
struct symbol<boost::hana::string<Characters...>> {
    struct node {
        using chainrule_expression = node;
        using name = boost::hana::string<Characters...>;
        using bound_double = chainrule::bound_double<Characters...>;
        enum : int { arity = 0, numbers = 0, is_variable = 1, depth = 0, name_length = 1 };
        enum : core::hash_value { hash = expressions::hash_of_name<Characters...>() };

        static constexpr char text[sizeof...(Characters) + 1] = {Characters..., '\0'};

        /// Binds a value to the variable, for a call by name, or an expression, for substitute(). The variable itself
        /// does not change, so an assignment on its own has no effect, and compilers warn about it.
        template <class T>
        CHAINRULE_BINDING operator=(const T& value) const {
            return expressions::bound_to<node, false>(value);
        }
        template <class T>
        CHAINRULE_BINDING operator=(const T&& value) const {
            return expressions::bound_to<node, true>(value);
        }
        // Several numbers in braces are not a value for one variable: what takes the binding says so.
        template <class T, std::size_t Size>
        CHAINRULE_BINDING operator=(const T (&&values)[Size]) const {
            return expressions::bound_to<node, true>(expressions::listed(values));
        }
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::refused_as_number<sizeof(*this) == 0>(); }
        constexpr node() = default;
        constexpr node(const node&) = default;
        constexpr node& operator=(const node&) = default;
    };
};

#undef CHAINRULE_BINDING

/// An exact constant: a fraction of 64-bit integers in lowest terms.
template <core::integer Numerator, core::integer Denominator>
struct constant {
    struct node {
        using chainrule_expression = node;
        enum : int { arity = 0, numbers = 0, is_variable = 0, depth = 0, name_length = 1 };
        enum : core::hash_value { hash = core::hash_of_fraction(Numerator, Denominator) };
        static constexpr core::coefficient value() { return core::coefficient::fraction(Numerator, Denominator); }
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::constant_refused_as_number<sizeof(*this) == 0>(); }
    };
};

/// An exact constant that is not a fraction of 64-bit integers: the sum of two doubles, given by their bits.
template <core::hash_value High, core::hash_value Low>
struct real_constant {
    struct node {
        using chainrule_expression = node;
        enum : int { arity = 0, numbers = 0, is_variable = 0, depth = 0, name_length = 1 };
        enum : core::hash_value { hash = core::hash_of(core::hashed::real, core::mix(core::mix(Low, High), High)) };
        static constexpr core::coefficient value() {
            return core::double_word(std::bit_cast<double>(High), std::bit_cast<double>(Low));
        }
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::constant_refused_as_number<sizeof(*this) == 0>(); }
    };
};

/// A stored number. Its value is in the expression object and not in the type: two stored numbers of the same type are
/// never treated as equal.
template <class T>
struct number {
    struct node {
        using chainrule_expression = node;
        using number_type = T;
        enum : int {
            arity = 0,
            numbers = 1,
            is_variable = 0,
            depth = 0,
            name_length = expressions::code_of_number<T> == 0 ? int{expressions::never_abbreviated} : 1
        };
        enum : core::hash_value { hash = core::hash_of(core::hashed::number, expressions::code_of_number<T>) };
        CHAINRULE_CALL_OPERATOR { return chainrule::expressions::evaluate(*this, arguments...); }
        constexpr operator double() const { return expressions::refused_as_number<sizeof(*this) == 0>(); }
        T value;
    };
};

} // namespace chainrule
