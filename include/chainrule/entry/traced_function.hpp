// SPDX-License-Identifier: BSL-1.0
//
// function() for code instead of expressions: a lambda or function object that is called once, at compile time, with
// numbers that record all operations.
#pragma once

#include <chainrule/entry/function.hpp>
#include <chainrule/trace/source.hpp>

namespace chainrule {

namespace tracing {

template <std::size_t Number, std::size_t... Digit>
consteval auto input_variable(std::index_sequence<Digit...>) {
    return typename symbol<
        boost::hana::string<'x', expressions::digit_of(Number, sizeof...(Digit) - 1 - Digit)...>>::node{};
}
/// The variables x0, x1, and so on.
template <std::size_t... I>
consteval auto input_variables(std::index_sequence<I...>) {
    return core::type_list<decltype(input_variable<I>(std::make_index_sequence<expressions::digits_of(I)>{}))...>{};
}
template <int Count>
using numbered_inputs = decltype(input_variables(std::make_index_sequence<static_cast<std::size_t>(Count)>{}));

/// Checks, as far as the type allows, that F can be called at compile time.
template <class F>
consteval bool can_be_traced() {
    constexpr bool stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;
    static_assert(stateless, "function: the traced code has captures or members, which have no values at compile "
                             "time; make them inputs, or parameters as in given(k = 0.5), or use tape mode");
    return stateless;
}

/// F, called in the given Form, as a function of the variables in List and of parameters.
template <class F, class Form, class List, class... Bindings>
[[nodiscard]] constexpr auto make_traced(const parameters<Bindings...>& bound) {
    using result = typename Form::template result_of<F>;
    if constexpr (right_outputs<result>()) {
        constexpr int size = size_of_trace<F, Form>(0);
        static_assert(size != 0, "function: the traced code is not a constant expression; make each function that "
                                 "it calls constexpr (g++: -fimplicit-constexpr) and read only constant memory, or "
                                 "use tape mode; if the compiler names a limit, raise it: -fconstexpr-ops-limit=, "
                                 "-fconstexpr-loop-limit= (g++), -fconstexpr-steps= (clang)");
        static_assert(size != -static_cast<int>(fault::output_not_written),
                      "function: the traced code does not write all of its outputs; write each of them, or state "
                      "their count, as in function<inputs<9, 3>, outputs<2>>(f)");
        static_assert(size != -static_cast<int>(fault::returned_false),
                      "function: the traced code returned false, but a traced function must succeed for all "
                      "inputs; use select, or tape mode");
        static_assert(size <= 1 << 16, "function: the traced code has more than 65536 operations; use tape mode");
        if constexpr (size == 0) {
            [[maybe_unused]] constexpr int why = measured<F, Form>(); // here the compiler reports the reason
        } else if constexpr (0 < size && size <= 1 << 16) {
            using traced = trace<F, Form, size>;
            using inputs = decltype(List{} + core::type_list<typename Bindings::variable...>{});
            return [&]<int... K>(std::integer_sequence<int, K...>) {
                return detail::make_function<is_output<std::remove_cvref_t<result>>>(
                    expression_vector<typename traced_output<traced, inputs, K>::node...>{}, List{}, bound);
            }(std::make_integer_sequence<int, traced::outputs>{});
        }
    }
}

// The variables among the arguments after the code, if any are listed.
template <class... Arguments>
consteval auto variables_named(core::type_list<Arguments...>) {
    return expressions::checked_variables(
        (core::type_list<>{} + ... + typename detail::named_variables<Arguments>::type{}));
}
template <class... Arguments>
inline constexpr bool names_variables = !(true && ... && detail::is_parameters<Arguments>);

template <class F, class... Arguments>
[[nodiscard]] constexpr auto function_of_code(const F&, const Arguments&... arguments) {
    if constexpr (can_be_traced<F>()) {
        const auto bound = detail::parameters_among(arguments...);
        constexpr int parameters = int{decltype(bound)::variables::size};
        if constexpr (names_variables<Arguments...>) {
            using list = decltype(variables_named(core::type_list<Arguments...>{}));
            constexpr int count = int{list::size} + parameters;
            constexpr bool right_count = by_position<count>::template accepted_by<F>::value;
            static_assert(right_count, "function: the number of arguments of the traced code is not the number of "
                                       "variables in wrt(...) and parameters in given(...); name one for each "
                                       "argument, in order");
            if constexpr (right_count) return make_traced<F, by_position<count>, list>(bound);
        } else {
            constexpr int count = count_of_arguments<F>();
            static_assert(count > 0, "function: the traced code does not take 1 to 64 separate numbers; state the "
                                     "count of an array, as in function<10>(f), or the sizes behind pointers, as "
                                     "in function<inputs<9, 3>>(f)");
            constexpr bool named = parameters == 0;
            static_assert(
                named,
                "function: given(...) binds parameters, but the other arguments of the traced code have no names; name "
                "them, as in function(f, wrt(x, y), given(k = 0.5))");
            if constexpr (count > 0 && named) return make_traced<F, by_position<count>, numbered_inputs<count>>(bound);
        }
    }
}

template <class>
inline constexpr bool is_inputs = false;
template <int... Count>
inline constexpr bool is_inputs<inputs<Count...>> = true;

} // namespace tracing

/// The same for code that takes an array of `Count` numbers. Its inputs are named x0, x1 and so on, or as in wrt(...).
template <std::size_t Count, class F, class... Arguments>
[[nodiscard]] constexpr auto function(const F&, const Arguments&... arguments) {
    if constexpr (tracing::can_be_traced<F>()) {
        const auto bound = detail::parameters_among(arguments...);
        constexpr int count = static_cast<int>(Count);
        if constexpr (tracing::names_variables<Arguments...>) {
            using list = decltype(tracing::variables_named(core::type_list<Arguments...>{}));
            constexpr bool right_count = int{list::size} + int{decltype(bound)::variables::size} == count;
            static_assert(right_count, "function<n>: the number of variables in wrt(...) and given(...) is not n; "
                                       "name one per input");
            if constexpr (right_count) return tracing::make_traced<F, tracing::by_array<count>, list>(bound);
        } else {
            return tracing::make_traced<F, tracing::by_array<count>, tracing::numbered_inputs<count>>(bound);
        }
    }
}

/// The same for code that takes pointers to its inputs and, last, to its outputs, as function<inputs<9, 3>,
/// outputs<2>>(f). The default count of outputs is the number of elements that are written.
template <class Inputs, class Outputs = outputs<-1>, class F>
requires tracing::is_inputs<Inputs>
[[nodiscard]] constexpr auto function(const F&) {
    if constexpr (tracing::can_be_traced<F>()) {
        return []<int... Size, int Count>(inputs<Size...>, outputs<Count>) {
            using form = tracing::by_pointers<Count, Size...>;
            return tracing::make_traced<F, form, tracing::numbered_inputs<form::inputs>>(given());
        }(Inputs{}, Outputs{});
    }
}

} // namespace chainrule
