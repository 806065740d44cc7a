// SPDX-License-Identifier: BSL-1.0
//
// Jacobians indexed by row and variable: J.row<0>()[x] is an expression, J(x = 2.0, y = 5.0)[0][x] a number, and one
// program computes all numbers of a call.
#pragma once

#include <chainrule/codegen/pattern.hpp>
#include <chainrule/symbolic/gradient.hpp>

namespace chainrule {

/// The Jacobian of a vector: see jacobian().
template <class Variables, class Elements>
struct jacobian_of {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    using vector = expressions::members_of_vector<Elements>;
    vector f; ///< the vector

    /// The gradient of expression I: see gradient().
    template <std::size_t I>
    [[nodiscard]] constexpr auto row() const {
        constexpr bool there = I < std::size_t{vector::count};
        static_assert(there, "jacobian: the index in row<i>() is past the last row; indices start at 0");
        if constexpr (there) return gradient(expressions::element_at<I>(f), list{});
    }
    template <class Row>
    constexpr expressions::no_element<> operator[](Row) const {
        constexpr bool there = sizeof(Row) == 0;
        static_assert(there,
                      "jacobian: J[i] is not a row of expressions; write J.row<0>()[x], or J(x = 2.0, y = 5.0)[0][x] "
                      "for its numbers");
        return {};
    }

    /// All entries for values by name: J(x = 2.0, y = 5.0)[1][x].
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... given) const {
        constexpr int rows = vector::list::size;
        if constexpr (detail::some_vectors<U...>) {
            if constexpr (detail::without_fault<
                              detail::fault_of_call<Elements, detail::short_variables_in<Elements>, U...>>())
                return detail::call_with(*this, detail::in_single_values(given...));
            else
                return keyed_rows<double, Variables, rows>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<typename vector::list, decltype(given.value)...>::type;
            keyed_rows<number, Variables, rows> result{};
            struct {
                keyed_rows<number, Variables, rows>& r;
                constexpr number& operator[](std::size_t k) const {
                    constexpr std::size_t columns = static_cast<std::size_t>(list::size);
                    return r.rows[k / columns].values[k % columns];
                }
            } outputs{result};
            detail::run_request<request::jacobians, number, Variables, Elements>(outputs, kernel::numbers_of<number>(f),
                                                                                 given...);
            return result;
        } else {
            return keyed_rows<double, Variables, rows>{};
        }
    }
};

/// The Jacobian of vector(f1, f2, ...) with respect to the listed variables, or to all its variables in order of first
/// appearance.
template <class Elements, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto jacobian(const expressions::members_of_vector<Elements>& f, List...) {
    return jacobian_of<expressions::short_list_of<List...>, Elements>{f};
}
template <class Elements>
[[nodiscard]] constexpr auto jacobian(const expressions::members_of_vector<Elements>& f) {
    return jacobian_of<expressions::short_list<decltype(graph::variables_in(expressions::long_list<Elements>{}))>,
                       Elements>{f};
}
/// The Jacobian of one expression: its gradient as the only row.
template <expression E, class... List>
[[nodiscard]] constexpr auto jacobian(const E& f, List... list) {
    return jacobian(vector(f), list...);
}

/// The sparsity pattern of a Jacobian, as constant arrays in compressed sparse row format; F.sparse_jacobian() of
/// function() writes the entries in this order.
template <class Variables, class Elements>
[[nodiscard]] constexpr auto sparsity(const jacobian_of<Variables, Elements>&) {
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    return codegen::jacobian_pattern<int{list::size}, list, expressions::long_list<Elements>>::value;
}

} // namespace chainrule
