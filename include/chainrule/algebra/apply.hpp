// SPDX-License-Identifier: BSL-1.0
//
// A function as an expression of its own variables, or with expressions in their place: F(x * y, z). For traced code,
// the graph is turned into types if it is small enough.
#pragma once

#include <chainrule/algebra/substitute.hpp>
#include <chainrule/entry/traced_function.hpp>
#include <chainrule/print/text.hpp>
#include <chainrule/symbolic/derivative.hpp>

namespace chainrule {

namespace detail {

template <class E>
consteval int operations_of() {
    if constexpr (requires { typename E::trace; })
        return E::trace::graph.nodes.size - 1 - int{E::variables::size};
    else
        return 0;
}

/// Checks that traced code has few enough operations to be turned into types.
template <class... E>
consteval bool fit_in_types() {
    constexpr int most = 256;
    constexpr bool fit = core::all_true({(operations_of<E>() <= most)..., true});
    static_assert(fit, "function: the traced code has more than 256 operations, too many for an expression; use "
                       "the derivatives of the function, or call expressions inside the traced code");
    return fit;
}

template <class E>
constexpr auto written_out(const E& f) {
    if constexpr (requires { typename E::trace; })
        return expression_of_rows<derived_rows<E>>(f);
    else
        return f;
}

/// In place of code that is too large: an expression of its variables, which adds no errors.
template <class... V>
constexpr auto stand_in(type_list<V...>) {
    return (V{} + ...);
}

template <bool Scalar, class... E, class... P, class... T, class... V, class... G>
constexpr auto applied(const expression_vector<E...>& f, const parameters<binding<P, T>...>& bound,
                       core::type_list<V...>, const G&... g) {
    if constexpr (fit_in_types<E...>()) {
        const auto in = [&](const auto& e) {
            return substituted_in(
                written_out(e), std::conditional_t<expression<G>, substitution<V, G>, binding<V, G>>{g}...,
                binding<P, parameter_storage<T>>{static_cast<const parameter<binding<P, T>>&>(bound).value}...);
        };
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            if constexpr (Scalar)
                return in(expressions::element_at<0>(f));
            else
                return vector(in(expressions::element_at<I>(f))...);
        }(std::index_sequence_for<E...>{});
    } else if constexpr (Scalar) {
        return stand_in(typename E::variables{}...);
    } else {
        return vector(stand_in(typename E::variables{})...);
    }
}

} // namespace detail

/// A function made by function() as text: that of F.expression().
template <class Expressions, class Variables, class Bindings>
[[nodiscard]] constexpr decltype(auto) to_string(const positional_function<Expressions, Variables, Bindings, true>& f) {
    return to_string(f.expression());
}

} // namespace chainrule
