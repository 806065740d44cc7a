// SPDX-License-Identifier: BSL-1.0
//
// Active numbers: a value and its place on a tape. Their operators and functions build the nested types of expression/,
// and the assignment of such an expression is one statement (tape/recording/statement.hpp).
#pragma once

#include <chainrule/functions/standard_constants.hpp>
#include <chainrule/expression/conditional.hpp>
#include <chainrule/core/from_stream.hpp>
#include <chainrule/core/structural_zero.hpp>
#include <chainrule/tape/recording/recording.hpp>
#include <chainrule/tape/recording/refused_plain_numbers.hpp>

#include <concepts>
#include <iosfwd>
#include <limits>

namespace chainrule {

namespace tracing {
struct anything; // stands for every field of a struct whose fields are counted: trace/shapes.hpp
}

namespace detail {
// The node of a custom function: custom_function.hpp.
template <class F, class... A>
[[gnu::always_inline]] constexpr auto custom_node(const A&... arguments);
} // namespace detail

namespace tape {

/// Whether a class is that of a template, for a number. (A parameter Template<Number> would make compilers form that
/// type for each operand of such a template, with its default arguments, which need not exist.)
template <class Z, class Number>
inline constexpr bool is_template_of = false;
template <template <class> class Template, class Element, class Number>
inline constexpr bool is_template_of<Template<Element>, Number> = std::same_as<Element, Number>;

/// A complex number of two numbers, known by its members: the header `<complex>` takes long to parse.
template <class Z, class Number>
concept complex_number_of = is_template_of<Z, Number> && requires(const Z& z) {
    requires std::same_as<typename Z::value_type, Number>;
    { z.real() } -> std::convertible_to<Number>;
    { z.imag() } -> std::convertible_to<Number>;
};
/// A formula of numbers on a tape, not one of these numbers itself.
template <class E, class Number>
concept formula_of_numbers = expression<E> && !std::same_as<E, Number> && expressions::holds_actives<E>;

} // namespace tape

/// The common part of number types that record themselves: they are leaves of expressions, and each compound assignment
/// is one statement. A base class in this namespace, so that argument-dependent lookup finds its operators and
/// functions.
template <class Number>
struct recorded_number : tape::refused_plain_numbers<Number> {
    // A leaf of expressions.
    enum : int {
        arity = 0,
        numbers = 1,
        is_variable = 0,
        is_active = 1,
        depth = 0,
        name_length = expressions::never_abbreviated
    };

    template <class U>
    [[gnu::always_inline]] Number& operator+=(const U& other) {
        return self() = Number(self() + other);
    }
    template <class U>
    [[gnu::always_inline]] Number& operator-=(const U& other) {
        return self() = Number(self() - other);
    }
    template <class U>
    [[gnu::always_inline]] Number& operator*=(const U& other) {
        return self() = Number(self() * other);
    }
    template <class U>
    [[gnu::always_inline]] Number& operator/=(const U& other) {
        return self() = Number(self() / other);
    }
    Number& operator++() { return *this += one(); }
    Number& operator--() { return *this -= one(); }
    Number operator++(int) {
        const Number old = self();
        ++*this;
        return old;
    }
    Number operator--(int) {
        const Number old = self();
        --*this;
        return old;
    }

    template <class Character, class Traits>
    friend std::basic_ostream<Character, Traits>& operator<<(std::basic_ostream<Character, Traits>& out,
                                                             const Number& x) {
        return out << x.value();
    }
    /// Reads a plain number.
    template <class Character, class Traits>
    friend std::basic_istream<Character, Traits>& operator>>(std::basic_istream<Character, Traits>& in, Number& x) {
        return core::read_plain<std::remove_cvref_t<decltype(x.value())>>(in, x);
    }

    // std::complex has operators for its numbers, and none for their formulas.
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    template <class E, class Complex>                                                                                  \
    requires tape::formula_of_numbers<E, Number> && tape::complex_number_of<Complex, Number>                           \
    friend Complex operator SYMBOL(const E& e, const Complex& z) {                                                     \
        return Number(e) SYMBOL z;                                                                                     \
    }                                                                                                                  \
    template <class E, class Complex>                                                                                  \
    requires tape::formula_of_numbers<E, Number> && tape::complex_number_of<Complex, Number>                           \
    friend Complex operator SYMBOL(const Complex& z, const E& e) {                                                     \
        return z SYMBOL Number(e);                                                                                     \
    }
    CHAINRULE_OPERATOR(+)
    CHAINRULE_OPERATOR(-)
    CHAINRULE_OPERATOR(*)
    CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR

private:
    [[gnu::always_inline]] Number& self() { return static_cast<Number&>(*this); }
    auto one() { return std::remove_cvref_t<decltype(self().value())>(1); }
};

namespace tape {

template <class T, std::size_t Lanes>
class lane_adjoints;

// Argument-dependent lookup finds it for class templates of numbers on a tape, as of vec2<active<double>>.
template <class T>
void holds_numbers_of_tape(const T*);

// Where the operators of such a class take no expressions or plain numbers, as those of std::complex, one sentence.
// Conversions of both operands make these worse matches than the operators of the class.
struct refused_number {
    template <class N>
    requires(expression<N> || std::is_arithmetic_v<N>)
    refused_number(const N&) {}
};
template <class Object>
consteval bool report_operand() {
    constexpr bool matrix = requires { Object::RowsAtCompileTime; };
    constexpr bool complex = !matrix && requires(const Object& z) {
        typename Object::value_type;
        z.real();
        z.imag();
    };
    static_assert(!matrix, "operator: a number on a tape is combined with a matrix of Eigen; include "
                           "chainrule/interop/eigen.hpp for products, and add numbers to m.array()");
    static_assert(!complex, "operator: a std::complex of numbers on a tape takes no plain number; include "
                            "chainrule/interop/complex.hpp, which has operators for both");
    static_assert(complex || matrix, "operator: an operand is an object whose operators take numbers of one type; "
                                     "convert the other operand to it, as in T(1.0 / r) * v or T(2.0) * v");
    return true;
}
// g++ looks at exceptions, and so prints the sentence, before it compiles what the program does with the result.
struct refused_object {
    template <class Object>
    requires(std::is_class_v<Object> && !expression<Object>)
    refused_object(const Object&) noexcept(tape::report_operand<Object>()) {}
};
struct refused_result {
    template <class Any>
    operator Any() const; // adds no errors
};
#define CHAINRULE_OPERATOR(SYMBOL)                                                                                     \
    refused_result operator SYMBOL(refused_number, refused_object);                                                    \
    refused_result operator SYMBOL(refused_object, refused_number);
CHAINRULE_OPERATOR(+)
CHAINRULE_OPERATOR(-)
CHAINRULE_OPERATOR(*)
CHAINRULE_OPERATOR(/)
#undef CHAINRULE_OPERATOR

/// A number of type T that may be on a tape; a number constructed from a plain number is not recorded. It is a small
/// handle: copies refer to the same recorded result and record nothing. It is a leaf of expressions. Assigning an
/// expression of active and plain numbers to it records one statement.
template <class T>
class active : public recorded_number<active<T>> {
public:
    using chainrule_expression = active;
    using number_type = active;
    using plain_number = T;
    using has_functions_of_table = void; // one statement each
    template <class U>
    using with_number = active<U>;
    enum : core::hash_value { hash = core::hash_of(core::hashed::number, 1) };

    constexpr active() = default;
    template <class U>
    requires(!expression<U> && !std::same_as<U, tracing::anything> && std::is_convertible_v<U, T>)
    [[gnu::always_inline]] constexpr active(const U& value) : value_(static_cast<T>(value)) {}
    /// Evaluates an expression and records it as one statement.
    template <expression E>
    [[gnu::always_inline]] active(const E& e) : active(statement_of(e)) {}

    /// The plain number. Branches may depend on it; derivatives ignore that dependence.
    [[nodiscard, gnu::always_inline]] constexpr const T& value() const { return value_; }
    /// Whether the number is on a tape.
    [[nodiscard]] constexpr bool is_recorded() const { return !is_plain(place_); }
    /// The tape of the number; null if it is not on a tape, or if the tape is destroyed.
    [[nodiscard]] basic_tape<T>* recorder() const { return heads<T>::of(place_)->tape_of(place_); }
    /// The derivative, with respect to this number, of the output passed to backward(), until the next sweep. Throws
    /// std::logic_error if there is none.
    [[nodiscard, gnu::always_inline]] const T& gradient() const;

    /// Computes the values of expressions at a point, with all partial derivatives from one kernel, and records each
    /// value as one statement. `Values` are the types of what was given for the inputs, some of them plain. Calls of
    /// compile-time functions with active numbers use it.
    template <class Expressions, class Inputs, class Values, std::size_t Rows, class Variables, class Numbers,
              class Outputs>
    static void record_call(const Variables& variables, const Numbers& numbers, Outputs& outputs);

    /// A custom function (chainrule/custom_function.hpp) of active and other numbers is one statement.
    template <class Row, class... A>
    requires(false || ... || std::same_as<A, active>)
    friend active call_custom(Row, const A&... x) {
        return detail::custom_node<typename Row::function>(expressions::as_operand(x)...);
    }

    // With `using std::max`, the templates of the standard library would be better matches than those of expressions,
    // and at a tie their derivatives are those of the first operand.
    friend constexpr auto max(const active& a, const active& b) { return chainrule::max<active, active>(a, b); }
    friend constexpr auto min(const active& a, const active& b) { return chainrule::min<active, active>(a, b); }
    friend constexpr auto clamp(const active& x, const active& low, const active& high) {
        return chainrule::clamp<active, active, active>(x, low, high);
    }

    /// A number on a tape is not a structural zero: its derivatives may differ from zero.
    friend constexpr bool zero_in_every_part(const active& x) {
        return !x.is_recorded() && core::is_structural_zero(x.value_);
    }
    friend constexpr bool finite_in_every_part(const active& x) { return core::keeps_zero(x.value_); }

private:
    template <class>
    friend class basic_tape;
    template <class>
    friend class statement_writer;
    template <class, std::size_t>
    friend class lane_adjoints;

    // Two words, which functions take and return in registers.
    T value_{};
    place place_ = 0; // plain if the number is not recorded

    [[gnu::always_inline]] constexpr active(const T& value, place where) : value_(value), place_(where) {}

    // Of a number that is not on the tape that this thread records on, or has no derivative.
    [[nodiscard, gnu::noinline]] const T& older_gradient() const;

    template <class E>
    [[gnu::always_inline]] static active statement_of(const E& e);
    template <class E, class Found>
    [[gnu::always_inline]] static active statement_of(const E& e);
};

} // namespace tape
} // namespace chainrule

/// The limits of T.
template <class T>
class std::numeric_limits<chainrule::tape::active<T>> : public std::numeric_limits<T> {};
