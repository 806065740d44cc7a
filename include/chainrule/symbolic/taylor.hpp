// SPDX-License-Identifier: BSL-1.0
//
// Taylor coefficients of an expression in one variable: all as numbers from one program, or one as an expression.
#pragma once

#include <chainrule/symbolic/derivative.hpp>
#include <chainrule/symbolic/keyed_results.hpp>

namespace chainrule {

namespace detail {

template <int N>
constexpr coefficient factorial() {
    coefficient product(1);
    for (int i = 2; i <= N; ++i) product = product * coefficient(i);
    return product;
}

} // namespace detail

/// The Taylor coefficients of an expression: see taylor().
template <int Order, class V, class E>
struct taylor_of {
    [[no_unique_address]] E f; ///< the expression

    /// The coefficients of t^0 to t^Order of f at v = v0 + t, for values by name, from one program.
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... given) const {
        if constexpr (detail::some_vectors<U...>) {
            using outputs = core::type_list<E>;
            if constexpr (detail::without_fault<
                              detail::fault_of_call<outputs, detail::short_variables_in<outputs>, U...>>())
                return detail::call_with(*this, detail::in_single_values(given...));
            else
                return std::array<double, static_cast<std::size_t>(Order + 1)>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<core::type_list<E>, decltype(given.value)...>::type;
            std::array<number, static_cast<std::size_t>(Order + 1)> result{};
            detail::run_request<request::taylor_coefficients | differentiate::taylor_order(Order), number,
                                core::type_list<V>, core::type_list<E>>(
                result, kernel::numbers_of_expression<number>(f), given...);
            return result;
        } else {
            return std::array<double, static_cast<std::size_t>(Order + 1)>{};
        }
    }

    /// The coefficient of t^K as an expression: the derivative of order K over K factorial.
    template <int K>
    [[nodiscard]] constexpr auto coefficient() const {
        static_assert(0 <= K && K <= Order, "taylor: k in coefficient<k>() is out of range; pass 0 to the order");
        if constexpr (K < 2)
            return derivative<K>(f, V{});
        else
            return derivative<K>(f, V{}) / expressions::constant_of<detail::factorial<K>>();
    }
};

/// The Taylor coefficients of f in one variable, up to an order: t = taylor<4>(exp(x), x); t(x = 0.0) is a std::array
/// of them at 0, and t.coefficient<2>() an expression. The effort grows with the square of the order.
template <int Order, expression E, class V>
[[nodiscard]] constexpr auto taylor(const E& f, V) {
    static_assert(Order >= 0, "taylor<n>: the order is negative; pass 0 or more");
    constexpr bool variable = expressions::variable_node<expressions::named_by<V>>;
    static_assert(variable, "taylor: the second argument is not a variable; pass one, as in taylor<3>(f, x) with "
                            "x = variable<\"x\">");
    if constexpr (variable && Order >= 0) return taylor_of<Order, expressions::named_by<V>, E>{f};
}
/// The same, with the order as a constant: taylor(f, x, 4_c), taylor(f, x, boost::hana::int_c<4>).
template <expression E, class V, expressions::constant_order Order>
[[nodiscard]] constexpr auto taylor(const E& f, V by, Order) {
    return taylor<expressions::constant_index<Order>()>(f, by);
}

} // namespace chainrule
