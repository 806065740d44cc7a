// SPDX-License-Identifier: BSL-1.0
//
// function<10>(f), function<inputs<9, 3>>(f): traced code whose inputs are stated: an array, or pointers. wrt(...) and
// given(...) name them; parameters are some of the inputs, or further arguments.
#pragma once

#include <chainrule/entry/traced_function.hpp>

namespace chainrule {

namespace tracing {

// A form with further arguments for parameters: arrays or pointers for vectors.
template <int Inputs, int... Size>
by_groups<Inputs, Size...> with_further(by_array<Inputs>, by_groups<Size...>);
template <int Outputs, int... Sizes, int... Size>
by_pointers<Outputs, Sizes..., (Size == 0 ? 1 : Size)...> with_further(by_pointers<Outputs, Sizes...>,
                                                                       by_groups<Size...>);

template <class A>
struct names_among : detail::named_variables<A> {};
template <class... Bindings>
struct names_among<parameters<Bindings...>> {
    using type = core::type_list<typename Bindings::variable...>;
};

/// How wrt(...), given(...) and members(...) name the inputs of code that is called in the given Form.
template <class Form, class... Arguments>
struct stated_names {
    static constexpr int inputs = Form::inputs;
    static constexpr bool named = names_variables<Arguments...>;
    using parameters = typename decltype(detail::parameters_among(std::declval<const Arguments&>()...))::variables;
    // All inputs in the order of the call.
    using in_order = typename core::joined_lists<typename names_among<Arguments>::type...>::type;

private:
    static consteval auto listed() {
        if constexpr (named)
            return variables_named(core::type_list<Arguments...>{});
        else
            return numbered_inputs<inputs>{};
    }

public:
    using list = decltype(listed());
    static constexpr bool all = named && int{list::size} + int{parameters::size} == inputs;
    static constexpr bool further = !all && int{list::size} == inputs && int{parameters::size} > 0;
    static constexpr bool right_count = all || int{list::size} == inputs;
    using order = std::conditional_t<all, in_order, void>;

private:
    static consteval auto extended() {
        if constexpr (further)
            return decltype(with_further(Form{}, groups_form<parameters>{})){};
        else
            return Form{};
    }

public:
    using form = decltype(extended());
};

/// Whether F takes parameters as further arguments, if they are that. (Not a function that calls make_traced(), since
/// compilers print each instantiation around an error in F.)
template <class F, class Names, class Members>
consteval bool takes_further(const Members* members) {
    if constexpr (Names::further) {
        using object = typename code_of<typename decltype(code_type<F>(members))::type>::object;
        constexpr bool accepted = Names::form::template accepted_by<object>;
        static_assert(accepted,
                      "function<n>: the traced code does not take its inputs and then the parameters in given(...); "
                      "give it one argument for each, an array for a vector of variables, or a pointer if the others "
                      "are");
        return accepted;
    }
    return true;
}

template <class Inputs, class Outputs>
struct form_with_pointers;
template <int... Size, int Count>
struct form_with_pointers<inputs<Size...>, outputs<Count>> {
    using type = by_pointers<Count, Size...>;
};

} // namespace tracing

/// The same for code that takes an array of `Count` numbers. Its inputs are named x0, x1 and so on, or as in wrt(...).
/// Parameters are further arguments, arrays for vectors: function<10>([](const auto& x, const auto& a) { ... },
/// given(a = weights)); or, if wrt(...) names fewer than `Count` inputs, the rest of the array.
template <auto Count, class F, class... Arguments>
requires std::is_integral_v<decltype(Count)>
[[nodiscard]] constexpr auto function(const F& f, const Arguments&... arguments) {
    static_assert(Count > 0, "function<n>: the count of inputs is not positive; pass 1 or more");
    using form = tracing::by_array < Count<1 ? 1 : static_cast<int>(Count)>;
    constexpr const typename tracing::members_among<Arguments...>::type* members = nullptr;
    if constexpr (Count > 0 && detail::right_arguments<Arguments...>() && tracing::can_be_traced<F>(members)) {
        using names = tracing::stated_names<form, Arguments...>;
        constexpr bool right_count = names::right_count;
        static_assert(right_count, "function<n>: the number of variables in wrt(...) and given(...) is not n; "
                                   "name one per input");
        if constexpr (right_count && tracing::takes_further<F, names>(members)) {
            using object = typename tracing::code_of<typename decltype(tracing::code_type<F>(members))::type>::object;
            // (Not in a function, which would be context of an error in the code; and where the code takes anything,
            // not first in a requirement, which would be more.)
            if constexpr (!names::further && tracing::count_of_any_of_lambda<object>() == 1)
                static_assert(true ||
                              (void((*tracing::none<const object>())(*tracing::none<typename form::array>())), true));
            constexpr bool takes_array = requires { typename names::form::template result_of<object>; };
            constexpr bool is_const = tracing::has_const_call<takes_array || !requires {
                typename names::form::template result_of<tracing::as_const<object>>;
            }>();
            static_assert(takes_array || !is_const,
                          "function<n>: the code does not take an array of traced numbers; correct the errors "
                          "above, if any, or make its argument generic, as in [](const auto& x) { return x[0] "
                          "* x[1]; }");
            if constexpr (takes_array)
                return tracing::make_traced<F, typename names::form, typename names::list, void,
                                            detail::are_relaxed<Arguments...>>(
                    f, detail::parameters_among(arguments...), members);
            else
                return tracing::untraced{};
        }
    } else {
        return tracing::untraced{};
    }
}

/// The same for code that takes pointers to its inputs and, last, to its outputs, as function<inputs<9, 3>,
/// outputs<2>>(f). The default count of outputs is the number of elements that are written. wrt(...) and given(...)
/// name all numbers in the order of the call, or given(...) binds parameters behind further pointers:
/// function<inputs<9, 3>>(f, given(c = camera), wrt(p)), function<inputs<9, 3>>(f, given(o = observed)).
template <class Inputs, class Outputs = outputs<-1>, class F, class... Arguments>
requires tracing::is_inputs<Inputs>
[[nodiscard]] constexpr auto function(const F& f, const Arguments&... arguments) {
    constexpr const typename tracing::members_among<Arguments...>::type* members = nullptr;
    if constexpr (detail::right_arguments<Arguments...>() && tracing::can_be_traced<F>(members)) {
        using names = tracing::stated_names<typename tracing::form_with_pointers<Inputs, Outputs>::type, Arguments...>;
        constexpr bool right_count = names::right_count;
        static_assert(right_count,
                      "function<inputs<...>>: the number of variables in wrt(...) and given(...) is not that of the "
                      "numbers behind the pointers; name one per number, as in wrt(variables<\"c\", 9>)");
        if constexpr (right_count && tracing::takes_further<F, names>(members)) {
            using form = typename names::form;
            using object = typename tracing::code_of<typename decltype(tracing::code_type<F>(members))::type>::object;
            constexpr bool takes_pointers = form::template accepted_by<object>;
            constexpr bool is_const =
                tracing::has_const_call<takes_pointers || !form::template accepted_by<tracing::as_const<object>>>();
            static_assert(
                takes_pointers || !is_const || tracing::after_refusal<F>(),
                "function<inputs<...>>: the code does not take a pointer to traced numbers for each count and "
                "a last one for its outputs; correct the errors above, if any, make it a template of the "
                "type of number, or state a count for each pointer to inputs, as in "
                "function<inputs<9, 3>>(f) of f(camera, point, outputs)");
            if constexpr (takes_pointers) {
                static_assert(form::template compiled<object>);
                return tracing::make_traced<F, form, typename names::list, typename names::order,
                                            detail::are_relaxed<Arguments...>>(
                    f, detail::parameters_among(arguments...), members);
            } else {
                return tracing::untraced{};
            }
        }
    } else {
        return tracing::untraced{};
    }
}

} // namespace chainrule
