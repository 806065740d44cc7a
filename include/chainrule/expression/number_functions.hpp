// SPDX-License-Identifier: BSL-1.0
//
// The functions of the table for numbers: sigmoid(2.0), and sin of a traced or dual number where the call is qualified.
// So one template serves expressions, traced code and plain numbers. It includes nothing else of expressions: dual
// numbers on their own (chainrule/dual.hpp) have these functions too.
#pragma once

#include <chainrule/expression/constant_operands.hpp>
#include <chainrule/functions/rows.hpp>

namespace chainrule {

namespace expressions {

/// A floating-point number, or a number of a class that has the functions of the table.
template <class T>
concept number_of_functions =
    std::floating_point<T> || (functions::has_functions_of_table<T> && !requires { typename T::chainrule_expression; });

// The type in which a function of mixed numbers is computed: the class, or the largest floating-point type.
template <class A, class B>
consteval auto joint_type() {
    if constexpr (std::same_as<A, B>)
        return std::type_identity<A>{};
    else if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
        return std::common_type<A, B>{};
    else if constexpr (number_of_functions<A> && !std::is_arithmetic_v<A>)
        return std::type_identity<A>{};
    else
        return std::type_identity<B>{};
}
template <class A, class B>
using joint = typename decltype(joint_type<A, B>())::type;

/// Whether each is T, a number of the language, or a constant of a class that converts to T, such as 2_c.
template <class T, class... X>
inline constexpr bool are_plain_or =
    (true && ... &&
     (std::is_same_v<X, T> || std::is_arithmetic_v<X> || (std::is_class_v<T> && std::is_convertible_v<X, T>)));
/// Numbers that a function can be computed of, in the type T. (Where a module has a concept with a fold in it, clang 19
/// does not know the header's for the same.)
template <class T, class... X>
concept numbers_in = number_of_functions<T> && are_plain_or<T, X...>;

/// An integer as an argument of a function of integers alone, whose value is a double, as in <cmath>. The conversion
/// makes it a worse match than functions of std or of the user: sqrt(2) keeps one meaning with `using namespace std`.
struct integer_argument {
    double value;

    constexpr integer_argument(int n) : value(n) {}
    constexpr integer_argument(unsigned n) : value(n) {}
    constexpr integer_argument(long n) : value(static_cast<double>(n)) {}
    constexpr integer_argument(unsigned long n) : value(static_cast<double>(n)) {}
    constexpr integer_argument(long long n) : value(static_cast<double>(n)) {}
    constexpr integer_argument(unsigned long long n) : value(static_cast<double>(n)) {}
};

/// What a call that matches no other function returns, after a sentence in place of a list of candidates.
template <class T>
constexpr T refused_call() {
    constexpr bool is_accepted = sizeof(T) == 0;
    static_assert(is_accepted,
                  "sin(x), pow(x, y) and other functions: an argument is neither a number nor an expression, or "
                  "the number of arguments is wrong; pass numbers and expressions, such as F(x) of F = "
                  "function(...), and numbers of one class only, as many as the function takes");
    return T();
}

/// The value of a row of the table. A class of numbers has it as computed(a pointer to the row, arguments...), and not
/// under its name: so a template of the user for arguments of one type, such as T lerp(T t, T a, T b), goes first.
template <class Row, class T, class... X>
constexpr T called(const T& x, const X&... further) {
    if constexpr (requires { computed(static_cast<Row*>(nullptr), x, further...); })
        return computed(static_cast<Row*>(nullptr), x, further...);
    else
        return Row::value(x, further...);
}

} // namespace expressions

// Those of integers are templates so that they are compiled where they are called: some need another header.
#define CHAINRULE_UNARY(NAME, ...)                                                                                     \
    template <expressions::number_of_functions A>                                                                      \
    constexpr A NAME(const A& a) {                                                                                     \
        return functions::NAME::value(a);                                                                              \
    }                                                                                                                  \
    template <class T = double>                                                                                        \
    constexpr T NAME(expressions::integer_argument a) {                                                                \
        return functions::NAME::value(T{a.value});                                                                     \
    }
// By value and without a parameter for the type, as std::pow(x, y): the constraint then makes these a better match.
#define CHAINRULE_BINARY(NAME, ...)                                                                                    \
    template <class A, class B>                                                                                        \
    requires expressions::numbers_in<expressions::joint<A, B>, A, B>                                                   \
    constexpr auto NAME(A a, B b) {                                                                                    \
        using T = expressions::joint<A, B>;                                                                            \
        using row = typename functions::called_with<functions::NAME, B>::type;                                         \
        return expressions::called<row>(static_cast<T>(a), static_cast<T>(b));                                         \
    }                                                                                                                  \
    template <class T = double>                                                                                        \
    constexpr T NAME(expressions::integer_argument a, expressions::integer_argument b) {                               \
        return functions::NAME::value(T{a.value}, T{b.value});                                                         \
    }
#define CHAINRULE_TERNARY(NAME, ...)                                                                                   \
    template <class A, class B, class C>                                                                               \
    requires expressions::numbers_in<expressions::joint<expressions::joint<A, B>, C>, A, B, C>                         \
    constexpr auto NAME(A a, B b, C c) {                                                                               \
        using T = expressions::joint<expressions::joint<A, B>, C>;                                                     \
        return expressions::called<functions::NAME>(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));          \
    }                                                                                                                  \
    template <class T = double>                                                                                        \
    constexpr T NAME(expressions::integer_argument a, expressions::integer_argument b,                                 \
                     expressions::integer_argument c) {                                                                \
        return functions::NAME::value(T{a.value}, T{b.value}, T{c.value});                                             \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

// The ellipsis is a worse match than any other function, and costs no conversion.
#define CHAINRULE_ROW(NAME, ...)                                                                                       \
    template <class T = double>                                                                                        \
    constexpr T NAME(...) {                                                                                            \
        return expressions::refused_call<T>();                                                                         \
    }
CHAINRULE_FUNCTIONS(CHAINRULE_ROW, CHAINRULE_ROW, CHAINRULE_ROW)
#undef CHAINRULE_ROW

template <class A, class B, class C>
requires expressions::numbers_in<expressions::joint<expressions::joint<A, B>, C>, A, B, C>
constexpr auto hypot(A x, B y, C z) {
    return hypot3(x, y, z);
}
template <class T = double>
constexpr T hypot(expressions::integer_argument x, expressions::integer_argument y, expressions::integer_argument z) {
    return hypot3(T{x.value}, T{y.value}, T{z.value});
}

// Argument-dependent lookup finds those of several numbers for traced ones, and for classes derived from
// with_functions.
#define CHAINRULE_UNARY(...)
#define CHAINRULE_BINARY(NAME, ...) using chainrule::NAME;
#define CHAINRULE_TERNARY(NAME, ...) using chainrule::NAME;
namespace tracing {
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
}
namespace found_functions {
CHAINRULE_FUNCTIONS(CHAINRULE_UNARY, CHAINRULE_BINARY, CHAINRULE_TERNARY)
struct with_functions {};
} // namespace found_functions
#undef CHAINRULE_UNARY
#undef CHAINRULE_BINARY
#undef CHAINRULE_TERNARY

} // namespace chainrule

/// Declares in a class of numbers the functions that the standard library has for any type: these go first, also after
/// `using std::max`.
#define CHAINRULE_CHOICES_AMONG(NUMBER)                                                                                \
    friend constexpr NUMBER max(const NUMBER& x, const NUMBER& y) {                                                    \
        return computed(static_cast<functions::max*>(nullptr), x, y);                                                  \
    }                                                                                                                  \
    friend constexpr NUMBER min(const NUMBER& x, const NUMBER& y) {                                                    \
        return computed(static_cast<functions::min*>(nullptr), x, y);                                                  \
    }                                                                                                                  \
    friend constexpr NUMBER clamp(const NUMBER& x, const NUMBER& low, const NUMBER& high) {                            \
        return computed(static_cast<functions::clamp*>(nullptr), x, low, high);                                        \
    }
