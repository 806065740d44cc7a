// SPDX-License-Identifier: BSL-1.0
//
// The function of a row and a component: with respect to which variables it is differentiated, and where each of its
// inputs is. batch/rows/component_program.hpp divides its programs, and batch/sum_over_components.hpp runs them.
#pragma once

#include <chainrule/batch/rows/row_function.hpp>
#include <chainrule/codegen/compile.hpp>

#include <cstddef>
#include <type_traits>

namespace chainrule::batches {

/// The variables of `All` that are in `Among`, or are not.
template <bool In, class All, class Among>
struct choice_of_variables;
template <bool In, class... V, class Among>
struct choice_of_variables<In, core::type_list<V...>, Among> {
    using type = typename core::joined_lists<core::type_list<>,
                                             std::conditional_t<(expressions::position_in<V>(Among{}) >= 0) == In,
                                                                core::type_list<V>, core::type_list<>>...>::type;
};
template <bool In, class All, class Among>
using chosen_variables = typename choice_of_variables<In, All, Among>::type;

/// The function of a row and a component, to be differentiated with respect to the component's numbers, C, and shared
/// ones, W. X are the variables of the row, whose columns are `Columns`.
template <class Row, class C, class W, class X, class Columns>
struct function_of_components;
template <class V, class OfRow, class... Bindings, class... E, class C, class W, class... X, class Columns>
struct function_of_components<row_function<V, OfRow, parameters<Bindings...>, E...>, C, W, core::type_list<X...>,
                              Columns> {
    using inputs = decltype(C{} + W{} + core::type_list<X...>{} + core::type_list<typename Bindings::variable...>{});
    static constexpr std::size_t own = std::size_t{C::size}, differentiated = own + std::size_t{W::size};
    static constexpr std::size_t count = std::size_t{inputs::size}, weight = count; // the weight is the last input
    /// A component's numbers, the shared ones and the parameters.
    static constexpr std::size_t numbers = count - sizeof...(X);
    static constexpr std::size_t columns = std::size_t{Columns::size};
    template <unsigned Request>
    using code = codegen::compiled<Request, int{differentiated}, inputs, core::type_list<E...>>;

    /// Where an input is: in the row, behind which is the weight of the derivatives, or at -1 - k of the component.
    static constexpr std::ptrdiff_t place(std::size_t i) {
        constexpr std::ptrdiff_t of_row[] = {expressions::position_in<X>(Columns{})..., 0};
        if (i == weight) return static_cast<std::ptrdiff_t>(columns);
        if (i < differentiated) return -1 - static_cast<std::ptrdiff_t>(i);
        if (i < differentiated + sizeof...(X)) return of_row[i - differentiated];
        return -1 - static_cast<std::ptrdiff_t>(i - sizeof...(X));
    }
};

} // namespace chainrule::batches
