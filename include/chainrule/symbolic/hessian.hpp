// SPDX-License-Identifier: BSL-1.0
//
// Hessians indexed by two variables: H(x, y) is an expression, H(x = 2.0, y = 5.0)(x, y) a number, and one program
// computes all numbers of a call.
#pragma once

#include <chainrule/codegen/pattern.hpp>
#include <chainrule/symbolic/derivative.hpp>
#include <chainrule/symbolic/keyed_results.hpp>

namespace chainrule {

/// The Hessian of an expression: see hessian().
template <class E, class Variables>
struct hessian_of {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    E f;                                            ///< the expression

    /// H(x, y): a second derivative as an expression. H(x = 2.0, y = 5.0): all as numbers, indexed by (x, y).
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... arguments) const {
        if constexpr (sizeof...(U) == 2 && core::all_true({detail::names_variable<U>..., true})) {
            constexpr bool known = core::all_true({(detail::position_of_key<U>(list{}) >= 0)...});
            static_assert(known, "hessian: a variable in (...) is not among those of this Hessian; use two of them");
            if constexpr (known) return derivative(f, expressions::named_by<U>{}...);
        } else if constexpr (detail::some_vectors<U...>) {
            using outputs = core::type_list<E>;
            if constexpr (detail::without_fault<
                              detail::fault_of_call<outputs, detail::short_variables_in<outputs>, U...>>())
                return detail::call_with(*this, detail::in_single_values(arguments...));
            else
                return keyed_matrix<double, Variables>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<core::type_list<E>, decltype(arguments.value)...>::type;
            keyed_matrix<number, Variables> result{};
            detail::symmetric_outputs<number, static_cast<std::size_t>(list::size)> outputs{result.values.data()};
            detail::run_request<request::hessians, number, Variables, core::type_list<E>>(
                outputs, kernel::numbers_of_expression<number>(f), arguments...);
            return result;
        } else {
            return keyed_matrix<double, Variables>{};
        }
    }
};

/// The Hessian of f with respect to the listed variables, or to all its variables in order of first appearance.
template <expression E, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto hessian(const E& f, List...) {
    return hessian_of<E, expressions::short_list_of<List...>>{f};
}
template <expression E>
[[nodiscard]] constexpr auto hessian(const E& f) {
    return hessian_of<E, expressions::short_list<typename graph::variables_of<E>::type>>{f};
}

/// The sparsity pattern of both halves of a Hessian, as constant arrays in compressed sparse row format;
/// F.sparse_hessian() of function() writes the entries in this order. Example:
/// `static_assert(sparsity(hessian(x * y)).size() == 2);`
template <class E, class Variables>
[[nodiscard]] constexpr auto sparsity(const hessian_of<E, Variables>&) {
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    return codegen::hessian_pattern<request::hessians, int{list::size}, list, core::type_list<E>>::value;
}

} // namespace chainrule
