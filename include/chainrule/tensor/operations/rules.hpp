// SPDX-License-Identifier: BSL-1.0
//
// The rules of element-wise operations: values, derivatives, and which values a derivative reads. + - * / are defined
// here, functions in the table (functions/rows.hpp).
#pragma once

#include <chainrule/functions/derivatives.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/graph/node.hpp>
#include <chainrule/tensor/kernels/loops.hpp>

namespace chainrule::tensor {

/// The rules of the operators, operations of the graph, and functions that record them.
namespace operations {

using namespace graph;

using kernels::wrapping;

struct add {
    static constexpr const char* called = "operator+";
    template <int>
    static constexpr values_read read_by = reading::nothing;
    template <class T>
    static T value(T a, T b) {
        return kernels::plus(a, b);
    }
    template <int, class T>
    static T derivative(T, T, T) {
        return T(1);
    }
};
struct subtract {
    static constexpr const char* called = "operator-";
    template <int>
    static constexpr values_read read_by = reading::nothing;
    template <class T>
    static T value(T a, T b) {
        return static_cast<T>(wrapping(a) - wrapping(b));
    }
    template <int K, class T>
    static T derivative(T, T, T) {
        return K == 0 ? T(1) : T(-1);
    }
};
struct multiply {
    static constexpr const char* called = "operator*";
    template <int K>
    static constexpr values_read read_by = K == 0 ? reading::second : reading::first;
    template <class T>
    static T value(T a, T b) {
        return static_cast<T>(wrapping(a) * wrapping(b));
    }
    template <int K, class T>
    static T derivative(T a, T b, T) {
        return K == 0 ? b : a;
    }
};
struct divide {
    static constexpr const char* called = "operator/";
    template <int K>
    static constexpr values_read read_by = K == 0 ? reading::second : reading::first | reading::second;
    template <class T>
    static T value(T a, T b) {
        if constexpr (std::integral<T>) check(a, b);
        return static_cast<T>(a / b);
    }
    /// Throws std::domain_error for a division by 0, and for a quotient that its type cannot hold.
    template <std::integral T>
    static void check(T a, T b) {
        if (b == T(0))
            core::raise(std::domain_error("operator/: an integer is divided by 0, which has no result; divide by "
                                          "where(equal(b, 0), 1, b), or floating-point numbers"));
        if constexpr (std::is_signed_v<T>)
            if (b == T(-1) && a == std::numeric_limits<T>::min())
                core::raise(std::domain_error(
                    storage::sentence("operator/: the quotient of ", +a,
                                      " and -1 is larger than every integer of its type; take a larger type")));
    }
    template <int K, class T>
    static T derivative(T a, T b, T) {
        return K == 0 ? T(1) / b : -(a / b) / b;
    }
};
struct negate {
    static constexpr const char* called = "operator-";
    static constexpr values_read reads = reading::nothing;
    template <class T>
    static T value(T a) {
        return static_cast<T>(-wrapping(a));
    }
    template <int, class T>
    static T derivative(T, T) {
        return T(-1);
    }
};

/// A row of the table as a rule. It assumes that the derivative reads all arguments and the result.
template <class Row>
struct of_table : Row {
    static constexpr const char* called = Row::name;
    static constexpr values_read reads =
        reading::first | reading::result | (int{Row::arity} == 2 ? reading::second : reading::nothing);
    template <int>
    static constexpr values_read read_by = reads;
    template <int K, class... T>
    [[gnu::always_inline]] static constexpr auto derivative(const T&... arguments_and_result) {
        return functions::derivative<K, Row>(arguments_and_result...);
    }
};

/// A rule of two arguments, one of them a plain number.
template <class Rule, int Position, class T>
struct with_number {
    static constexpr const char* called = Rule::called;
    static constexpr values_read read = Rule::template read_by<Position>;
    static constexpr values_read reads =
        (read & (Position == 0 ? reading::first : reading::second) ? reading::first : reading::nothing) |
        (read & reading::result);
    T number;
    T value(T x) const {
        if constexpr (Position == 0)
            return Rule::value(x, number);
        else
            return Rule::value(number, x);
    }
    template <int>
    T derivative(T x, T r) const {
        if constexpr (Position == 0)
            return Rule::template derivative<0>(x, number, r);
        else
            return Rule::template derivative<1>(number, x, r);
    }
};

// Whether the derivatives of a rule are finite for all arguments; and whether they are those of a function, so that a
// derivative of 0 means that the function does not depend on the argument there.
template <class Rule>
inline constexpr bool is_always_finite =
    std::same_as<Rule, add> || std::same_as<Rule, subtract> || std::same_as<Rule, negate>;
template <class Rule, int Position, class T>
inline constexpr bool is_always_finite<with_number<Rule, Position, T>> = is_always_finite<Rule>;
template <class Rule>
inline constexpr bool is_function = false;
template <class Row>
inline constexpr bool is_function<of_table<Row>> = true;
template <class Rule, int Position, class T>
inline constexpr bool is_function<with_number<Rule, Position, T>> = is_function<Rule>;

/// The gradient of an argument of an element: the gradient of the result times the derivative. It is 0 if either factor
/// is 0 and the rule is a function, or if the gradient is 0, even if the other factor is infinite or NaN: so an element
/// that was not chosen contributes nothing. Wherever the product is finite, this is the product.
template <class Rule, class T>
[[nodiscard, gnu::always_inline]] inline T passed_on(T gradient, T derivative) {
    const T product = gradient * derivative;
    const bool nothing = (gradient == T(0)) | (is_function<Rule> & (derivative == T(0)));
    return (nothing & (product != product)) ? T(0) : product;
}

/// The numbers that operators accept beside a tensor of T; for integer tensors only integers.
template <class S, class T = double>
concept number = std::is_arithmetic_v<S> && (std::floating_point<T> || std::integral<S>);

} // namespace operations

} // namespace chainrule::tensor
