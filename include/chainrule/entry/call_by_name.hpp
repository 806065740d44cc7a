// SPDX-License-Identifier: BSL-1.0
//
// Calls of positional functions by name, as in F(y = 5.0, x = 2.0), in any order. A value for a parameter applies to
// that call only.
#pragma once

#include <chainrule/entry/function_parts.hpp>
#include <chainrule/entry/inputs.hpp>

namespace chainrule::detail {

/// The values for variables, and their types.
template <class T, class Values, class... V>
CHAINRULE_STEP constexpr kernel::buffer<T, int{sizeof...(V)}> values_in_order(const Values& values,
                                                                              core::type_list<V...>) {
    return {{detail::value_for<V, T>(values)...}};
}
template <class T, class Values, class... V>
core::type_list<type_of_value<V, T, Values>...> types_in_order(core::type_list<V...>);

/// The number for a parameter: its value in the call, or else the one that it is bound to.
template <class P, class T, class Values, class Bound>
using parameter_type = std::conditional_t<expressions::is_active<T> &&
                                              is_plain_value<T, type_of_value<P, type_of_parameter<P, Bound>, Values>>,
                                          kernel::plain_number<T>, T>;
template <class P, class T, class Values, class Bound>
CHAINRULE_STEP constexpr auto parameter_in_call(const Values& values, const Bound& bound) {
    using type = parameter_type<P, T, Values, Bound>;
    if constexpr (std::is_void_v<core::entry_of<P, Values>>)
        return static_cast<type>(core::value_in_entry<P>(bound));
    else
        return detail::value_for<P, type>(values);
}
template <class T, class Values, class Bound, class... P>
CHAINRULE_STEP constexpr auto parameters_in_call(const Values& values, const Bound& bound, core::type_list<P...>) {
    return given(binding<P, parameter_type<P, T, Values, Bound>>{detail::parameter_in_call<P, T>(values, bound)}...);
}

/// Runs the program of a request to a function for values by name.
template <unsigned Request, class T, class F, class Outputs, class... W, class... U>
CHAINRULE_STEP constexpr auto run_by_name(const F& f, Outputs& outputs, const binding<W, U>&... values) {
    using variables = typename F::variables_list;
    const auto of_call = detail::in_values_of_call(values...);
    const auto local = detail::values_in_order<T>(of_call, variables{});
    // On a tape the types of values show which are plain; other programs are the same for all types.
    using types = std::conditional_t<expressions::is_active<T>,
                                     decltype(detail::types_in_order<T, decltype(of_call)>(variables{})), void>;
    using named = core::type_list<W...>;
    if constexpr (int{decltype(expressions::without(named{}, variables{}))::size} == 0) {
        function_parts::run<Request, types>(f, outputs, local.values);
    } else {
        const auto& bound = function_parts::bound(f);
        using all = decltype(typename std::remove_cvref_t<decltype(bound)>::variables{} +
                             detail::occurring(typename F::outputs_list{},
                                               expressions::without(named{}, typename F::inputs_list{})));
        const auto parameters = detail::parameters_in_call<T>(of_call, bound, all{});
        using function =
            typename F::template with_parameters<typename std::remove_const_t<decltype(parameters)>::bindings>;
        function_parts::run<Request, types>(function(function_parts::expressions(f), parameters), outputs,
                                            local.values);
    }
}

} // namespace chainrule::detail
