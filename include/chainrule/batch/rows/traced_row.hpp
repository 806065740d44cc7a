// SPDX-License-Identifier: BSL-1.0
//
// Code of one row, traced: its arguments are the variables of over(), wrt() and given() in this order, where a vector
// of variables is one array.
#pragma once

#include <chainrule/entry/traced_function.hpp>

#include <concepts>

namespace chainrule::batches {

template <class E, class V, class Bindings, bool Scalar>
[[nodiscard]] constexpr detail::vector_of<expressions::long_list<E>>
expressions_of(const positional_function<E, V, Bindings, Scalar>&) {
    return {};
}

/// The outputs of code as expressions of the variables, if it takes them. A function of rows says so where it does not.
template <class F, class Variables>
inline constexpr bool code_takes = tracing::groups_form<Variables>::template accepted_by<F>;
template <class F, class Form, class Variables>
[[nodiscard]] constexpr auto expressions_of_code(const F& f, Form, Variables) {
    constexpr const tracing::member_names<>* members = nullptr;
    const auto made = tracing::make_traced<F, Form, Variables>(f, given(), members);
    if constexpr (std::same_as<decltype(made), const tracing::untraced>)
        return vector(expressions::exact_zero{}); // adds no errors
    else
        return expressions_of(made);
}
template <class F>
[[nodiscard]] consteval bool is_code_to_trace() {
    constexpr const tracing::member_names<>* members = nullptr;
    return tracing::can_be_traced<F>(members);
}

/// The outputs of code of one row as expressions of the variables.
template <class F, class Variables>
[[nodiscard]] constexpr auto traced_row(const F& f, Variables variables) {
    if constexpr (is_code_to_trace<F>()) {
        constexpr bool accepted = code_takes<F, Variables>;
        static_assert(accepted,
                      "sum, residuals, fits: the traced code does not take the variables of over(...), wrt(...) and "
                      "given(...) in this order; give it one argument for each, an array for a vector of variables");
        if constexpr (accepted)
            return expressions_of_code(f, tracing::groups_form<Variables>{}, variables);
        else
            return vector(expressions::exact_zero{}); // adds no errors
    } else {
        return vector(expressions::exact_zero{});
    }
}

} // namespace chainrule::batches
