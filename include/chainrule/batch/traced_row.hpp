// SPDX-License-Identifier: BSL-1.0
//
// Code of one row, traced: its arguments are the variables of over(), wrt() and given() in this order, where a vector
// of variables is one array.
#pragma once

#include <chainrule/entry/traced_function.hpp>

namespace chainrule::batches {

template <class... E, class V, class Bindings, bool Scalar>
[[nodiscard]] constexpr expression_vector<E...>
expressions_of(const positional_function<core::type_list<E...>, V, Bindings, Scalar>&) {
    return {};
}

/// The outputs of code as expressions of the variables.
template <class F, class Variables>
[[nodiscard]] constexpr auto traced_row(const F& f, Variables) {
    constexpr const tracing::member_names<>* members = nullptr;
    if constexpr (tracing::can_be_traced<F>(members)) {
        using form = tracing::groups_form<Variables>;
        constexpr bool accepted = form::template accepted_by<F>;
        static_assert(accepted,
                      "sum, residuals, fits: the traced code does not take the variables of over(...), wrt(...) and "
                      "given(...) in this order; give it one argument for each, an array for a vector of variables");
        if constexpr (accepted)
            return expressions_of(tracing::make_traced<F, form, Variables>(f, given(), members));
        else
            return vector(expressions::exact_zero{}); // adds no errors
    } else {
        return vector(expressions::exact_zero{});
    }
}

} // namespace chainrule::batches
