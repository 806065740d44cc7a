// SPDX-License-Identifier: BSL-1.0
//
// Gradients indexed by variable: g[x] is an expression, g(x = 2.0, y = 5.0)[x] a number, and one program computes all
// numbers of a call. For numerical code, entry/function.hpp has the positional form.
#pragma once

#include <chainrule/symbolic/derivative.hpp>
#include <chainrule/symbolic/keyed_results.hpp>

namespace chainrule {

/// The gradient of an expression: see gradient().
template <class E, class Variables, bool WithValue>
struct gradient_of {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    E f;                                            ///< the expression

    /// The derivative with respect to a variable, as an expression.
    template <class V>
    [[nodiscard]] constexpr auto operator[](V) const {
        constexpr bool variable = detail::names_variable<V>;
        static_assert(variable, "gradient: the index in [...] is not a variable; write g[x], or g[q[3_c]] of a vector "
                                "of variables");
        constexpr bool known = detail::position_of_key<V>(list{}) >= 0;
        static_assert(known || !variable,
                      "gradient: the variable in [...] is not among those of this gradient; use one of them");
        if constexpr (known)
            return derivative(f, expressions::named_by<V>{});
        else
            return expressions::no_element<>{};
    }

    /// All derivatives (and the value) for values by name, from one program.
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... given) const {
        if constexpr (detail::some_vectors<U...>) {
            using outputs = core::type_list<E>;
            if constexpr (detail::without_fault<
                              detail::fault_of_call<outputs, detail::short_variables_in<outputs>, U...>>())
                return detail::call_with(*this, detail::in_single_values(given...));
            else
                return keyed_with_value<double, Variables>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<core::type_list<E>, decltype(given.value)...>::type;
            constexpr std::size_t size = static_cast<std::size_t>(list::size);
            if constexpr (WithValue) {
                keyed_with_value<number, Variables> result{};
                detail::value_and_jacobian_outputs<number, 1, size> outputs{&result.value, result.values.data()};
                detail::run_request<request::values | request::jacobians, number, Variables, core::type_list<E>>(
                    outputs, kernel::numbers_of_expression<number>(f), given...);
                return result;
            } else {
                keyed<number, Variables> result{};
                detail::run_request<request::jacobians, number, Variables, core::type_list<E>>(
                    result.values, kernel::numbers_of_expression<number>(f), given...);
                return result;
            }
        } else {
            return keyed_with_value<double, Variables>{};
        }
    }
};

/// The gradient of f with respect to the listed variables, as in gradient(f, wrt(x, y)) or gradient(f, x, y), or to all
/// its variables in order of first appearance. g[x] is the expression df/dx, g(x = 2.0, y = 5.0)[x] its value.
template <expression E, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto gradient(const E& f, List...) {
    return gradient_of<E, expressions::short_list_of<List...>, false>{f};
}
template <expression E>
[[nodiscard]] constexpr auto gradient(const E& f) {
    return gradient_of<E, expressions::short_list<typename graph::variables_of<E>::type>, false>{f};
}

/// The value and the gradient from one program: r = value_and_gradient(f)(x = 2.0, y = 5.0); r.value, r[x].
template <expression E, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto value_and_gradient(const E& f, List...) {
    return gradient_of<E, expressions::short_list_of<List...>, true>{f};
}
template <expression E>
[[nodiscard]] constexpr auto value_and_gradient(const E& f) {
    return gradient_of<E, expressions::short_list<typename graph::variables_of<E>::type>, true>{f};
}

} // namespace chainrule
