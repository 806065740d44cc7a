// SPDX-License-Identifier: BSL-1.0
//
// Custom functions: a class with a name, a value and a derivative, derived from custom_function. Expressions, tapes,
// dual numbers and tensors use it like any other function, and verified() checks its derivatives against differences.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/expression/conditional.hpp>
#include <chainrule/custom_function/custom_row.hpp>
#include <chainrule/custom_function/scope.hpp>
#include <chainrule/custom_function/verified.hpp>

namespace chainrule {

namespace detail {

template <class F, class... A>
[[gnu::always_inline]] constexpr auto custom_node(const A&... arguments) {
    using type = node_of<F, A...>;
    if constexpr (int{type::numbers} == 0)
        return type{};
    else if constexpr (sizeof...(A) == 1)
        return type{{arguments...}};
    else
        return joined<type>(arguments...);
}

template <int Arity, std::size_t Count>
consteval bool right_count() {
    static_assert(Arity != 1 || Count == 1, "custom_function: wrong number of arguments: expected 1");
    static_assert(Arity != 2 || Count == 2, "custom_function: wrong number of arguments: expected 2");
    static_assert(Arity != 3 || Count == 3, "custom_function: wrong number of arguments: expected 3");
    return Count == Arity;
}

} // namespace detail

/// The base class of a custom function F with `Arity` arguments, 1 to 3. F has
///   - `static constexpr char name[]`, for printed text;
///   - `template <class T> static constexpr T value(const T& x)`, any code that computes the value;
///   - `template <int K, class T> static constexpr auto derivative(const T& x, const T& r)`, the derivative with
///     respect to argument K (from 0) as a formula in the arguments and the result r: + - * /, numbers, select(), any
///     function of the table and any custom function, including this one. K may be omitted if there is one argument;
///   - `static constexpr double domain[][2]`, for verified(): one interval per argument.
/// An object of F can be called with expressions, numbers of any kind, active and dual numbers, and tensors. Functions
/// of the table need no prefix inside F. Errors: `docs/errors.md#custom-functions`. Example: docs/custom-functions.md
template <class F, int Arity>
class custom_function : graph::registered_function<F>, protected detail::functions_in_scope {
    static_assert(1 <= Arity && Arity <= 3,
                  "custom_function: a function has one to three arguments; compose others from such functions");

public:
    enum : int { arity = Arity };
    /// What the library calls: the function as a row of the table.
    using row = detail::custom_row<F>;
    static constexpr graph::custom_code<F> code{};

    /// The function applied to expressions: an expression.
    template <class... A>
    requires(false || ... || expression<A>)
    [[nodiscard, gnu::always_inline]] constexpr auto operator()(const A&... arguments) const {
        if constexpr (detail::right_count<Arity, sizeof...(A)>() &&
                      row::has_formulas(std::make_integer_sequence<int, Arity>{}))
            return detail::custom_node<F>(expressions::as_operand(arguments)...);
    }
    /// The value for numbers or tensors.
    template <class... A>
    [[nodiscard, gnu::always_inline]] constexpr auto operator()(const A&... arguments) const {
        if constexpr (detail::right_count<Arity, sizeof...(A)>()) {
            if constexpr (requires { call_custom(row{}, arguments...); })
                return call_custom(row{}, arguments...);
            else
                return row::value(arguments...);
        }
    }
};

} // namespace chainrule

#include <chainrule/core/names_end.inc>
