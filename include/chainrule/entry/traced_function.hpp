// SPDX-License-Identifier: BSL-1.0
//
// function() for code instead of expressions: a lambda or function object that is called once, at compile time, with
// numbers that record all operations.
#pragma once

#include <chainrule/entry/function.hpp>
#include <chainrule/entry/traced_members.hpp>
#include <chainrule/entry/untraced.hpp>
#include <chainrule/trace/groups.hpp>
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
consteval bool can_be_traced(const tracing::member_names<>*) {
    constexpr bool is_object = !std::is_pointer_v<F> && !std::is_function_v<F>;
    static_assert(is_object,
                  "function: the traced code is a pointer to a function, which takes plain numbers; make the "
                  "function a template and pass a call of it, as in [](auto x) { return f(x); }");
    constexpr bool is_code = !detail::is_positional_function<F>;
    static_assert(is_code, "function: the first argument was made by function(...) itself; pass its expression, as in "
                           "function(2 * F(x), wrt(x))");
    constexpr bool stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;
    static_assert(!is_object || !is_code || stateless,
                  "function: the traced code has captures or members, which have no values at compile "
                  "time; declare a captured constant static constexpr, name what changes, as in "
                  "function([a](auto x) { return a * x; }, members(a)), or use tape mode");
    return stateless;
}
template <class F, class... V>
consteval bool can_be_traced(const tracing::member_names<V...>*) {
    constexpr bool numbers =
        std::is_trivially_copyable_v<F> && (sizeof(F) == sizeof...(V) * 8 || sizeof(F) == sizeof...(V) * 4);
    static_assert(numbers, "function: the traced code does not consist of the numbers that members(...) names; name "
                           "each of its captures or members, in order, and let all be double, or all float");
    return numbers;
}

// The names of all inputs: those in Order, or the variables and then the parameters; and last the members.
template <class List, class Parameters>
consteval auto names_of_inputs(const void*, List list, Parameters parameters) {
    return list + parameters;
}
template <class... V, class List, class Parameters>
consteval auto names_of_inputs(const core::type_list<V...>* order, List, Parameters parameters) {
    return *order + expressions::without(parameters, *order);
}

// Whether the parameters of code that is not generic include plain numbers.
template <class Call>
inline constexpr bool has_plain_parameter = false;
template <class R, class F, class... A, bool NoExcept>
inline constexpr bool has_plain_parameter<R (F::*)(A...) const noexcept(NoExcept)> =
    core::any_true({std::is_arithmetic_v<std::remove_cvref_t<A>>..., false});
template <class F>
consteval bool takes_plain_numbers() {
    if constexpr (requires { &F::operator(); })
        return has_plain_parameter<decltype(&F::operator())>;
    else
        return false;
}

/// Says why code has no trace, unless one of its numbers has refused something.
template <class Code, class Form>
void report_not_constant() {
    constexpr bool is_constant = after_refusal<code_of<Code>>();
    static_assert(is_constant, "function: the traced code is not a constant expression; make each function that "
                               "it calls constexpr (g++: -fimplicit-constexpr) and read only constant memory, or "
                               "use tape mode; if the compiler names a limit, raise it: -fconstexpr-ops-limit=, "
                               "-fconstexpr-loop-limit= (g++), -fconstexpr-steps= (clang)");
    // Here the compiler states the reason.
    if constexpr (!is_constant) {
        using all_inputs = typename Form::all_inputs;
        using code = code_of<failing_code<Code>>;
        if constexpr (requires(typename Form::template prepared_call<code> made) {
                          requires code::members == 0;
                          made.f(std::move(made.q));
                      }) {
            // Without a function in between, which would be three lines of context.
            using prepared = typename Form::template prepared_call<code>;
            [[maybe_unused]] constexpr int why = (void(prepared().f(prepared().q)), 0);
        } else {
            [[maybe_unused]] constexpr int why = Form::template call<code>(capacity_of{}, all_inputs{});
        }
    }
}

/// F, called in the given Form, as a function of the variables in List and of parameters. Order is the list of both in
/// the order in which the code takes them; by default the variables are first.
template <class F, class Form, class List, class Order = void, bool Relaxed = false, class Members, class... Bindings>
[[nodiscard]] constexpr auto make_traced(const F& f, const parameters<Bindings...>& given, const Members* members) {
    using code = with_values_of<typename decltype(code_type<F>(members))::type, Relaxed>;
    using object = typename code_of<code>::object;
    // Twice: the first time, the compiler reports an error in the code, which cannot be called after that.
    constexpr bool once = requires { typename Form::template result_of<object>; };
    constexpr bool again = requires { typename Form::template result_of<object>; };
    if constexpr (!once || !again) {
        return untraced{};
    } else if constexpr (right_outputs<typename Form::template result_of<object>>()) {
        constexpr int size = size_of_trace<code, Form>(0).capacity;
        static_assert(size != -static_cast<int>(fault::output_not_written),
                      "function: the traced code does not write all of its outputs; write each of them, or state "
                      "their count, as in function<inputs<9, 3>, outputs<2>>(f)");
        static_assert(size != -static_cast<int>(fault::returned_false),
                      "function: the traced code returned false, but a traced function must succeed for all "
                      "inputs; use select, or tape mode");
        static_assert(size != -static_cast<int>(fault::branch_on_equality),
                      "function: the traced code branches on a == b, but its numbers have no values while it is "
                      "traced; choose with select(a == b, c, d), or use tape mode, which records the branch");
        static_assert(size <= 1 << 16, "function: the traced code has more than 65536 operations; use tape mode");
        if constexpr (size == 0) {
            // Without a call: compilers report at the end of the file, after the sentences of the numbers.
            [[maybe_unused]] void (*const reported_later)() = &report_not_constant<code, Form>;
            return untraced{};
        } else if constexpr (0 < size && size <= 1 << 16) {
            constexpr bool independent = is_independent_of_members<code, Form>;
            static_assert(independent,
                          "function: the traced code computes with a member or branches on it before it meets an "
                          "input; combine it with inputs first, or make it a number of the trace, as in template "
                          "<class N> struct residual { N observed; ... }");
            using traced = trace<code, Form, size>;
            const auto bound = with_members(f, given, members);
            using inputs = expressions::short_list<decltype(names_of_inputs(
                static_cast<const Order*>(nullptr), List{},
                typename decltype(with_members(f, given, members))::variables{}))>;
            const auto made = [&]<int... K>(std::integer_sequence<int, K...>) {
                using result = std::remove_cvref_t<typename Form::template result_of<object>>;
                return detail::make_function<is_output<result>, expressions::short_list<List>,
                                             expressions::short_list<typename decltype(bound)::bindings>>(
                    expression_vector<typename traced_output<traced, inputs, K>::node...>{}, bound);
            }(std::make_integer_sequence<int, traced::outputs>{});
            if constexpr (std::is_same_v<Members, tracing::member_names<>>)
                return made;
            else
                return function_with_members<F, Members, std::remove_const_t<decltype(made)>>(made);
        } else {
            return untraced{};
        }
    } else {
        return untraced{};
    }
}

// The variables among the arguments after the code, if any are listed.
template <class... Arguments>
consteval auto variables_named(core::type_list<Arguments...>) {
    return wrt(typename core::joined_lists<typename detail::named_variables<Arguments>::type...>::type{});
}
template <class>
inline constexpr bool is_inputs = false;
template <int... Count>
inline constexpr bool is_inputs<inputs<Count...>> = true;

template <class... Arguments>
inline constexpr bool names_variables =
    core::any_true({(detail::is_list<Arguments> && !is_members<Arguments>)..., false});

/// How code takes named variables: as separate numbers, or arrays for vectors of them.
template <bool Separate, class ByPosition, class Variables>
struct form_for {
    using type = ByPosition;
};
template <class ByPosition, class Variables>
struct form_for<false, ByPosition, Variables> {
    using type = groups_form<Variables>;
};
template <class F, class Form, bool Separate>
inline constexpr bool accepts_groups = true;
template <class F, class Form>
inline constexpr bool accepts_groups<F, Form, false> = Form::template accepted_by<F>;

} // namespace tracing

/// function() of code. (Compilers print each function on the way to an error in the code: there are few.)
template <class F, class... Arguments>
requires(detail::is_code<F>())
[[nodiscard]] constexpr auto function(const F& f, const Arguments&... arguments) {
    constexpr const typename tracing::members_among<Arguments...>::type* members = nullptr;
    constexpr bool is_function = !core::is_type_list<F>;
    static_assert(is_function, "function: the list of variables is the first argument; write function(f, wrt(x, y))");
    if constexpr (!is_function) {
        return tracing::untraced{};
    } else if constexpr (detail::right_arguments<Arguments...>() && tracing::can_be_traced<F>(members)) {
        const auto bound = detail::parameters_among(arguments...);
        using object = typename tracing::code_of<typename decltype(tracing::code_type<F>(members))::type>::object;
        constexpr int parameters = int{decltype(bound)::variables::size};
        constexpr bool is_generic = !tracing::takes_plain_numbers<object>();
        static_assert(is_generic, "function: the traced code takes plain numbers, such as a double; make its arguments "
                                  "generic, as in [](auto x, auto y) { return x * y; }");
        if constexpr (!is_generic) {
            return tracing::untraced{};
        } else if constexpr (tracing::names_variables<Arguments...>) {
            using list = decltype(tracing::variables_named(core::type_list<Arguments...>{}));
            constexpr int count = int{list::size} + parameters;
            using by_position = tracing::by_position<count>;
            constexpr bool separate = by_position::template accepted_by<object>(typename by_position::all_inputs{});
            using form = typename tracing::form_for<separate, by_position,
                                                    decltype(list{} + typename decltype(bound)::variables{})>::type;
            constexpr bool right_count = separate || tracing::accepts_groups<object, form, separate>;
            constexpr bool is_const =
                tracing::has_const_call<right_count || !by_position::template accepted_by<tracing::as_const<object>>(
                                                           typename by_position::all_inputs{})>();
            static_assert(right_count || !is_const,
                          "function: the number of arguments of the traced code is not the number of "
                          "variables in wrt(...) and parameters in given(...); name one for each "
                          "argument, in order");
            if constexpr (right_count)
                return tracing::make_traced<F, form, list, void, detail::are_relaxed<Arguments...>>(f, bound, members);
            else
                return tracing::untraced{};
        } else {
            constexpr bool named = parameters == 0;
            static_assert(
                named,
                "function: given(...) binds parameters, but the other arguments of the traced code have no names; name "
                "them, as in function(f, wrt(x, y), given(k = 0.5))");
            // (Up to three here, since a function that counted them would be three lines of context, and so would a
            // macro.)
            using tracing::by_position, tracing::numbered_inputs, tracing::traced_number, tracing::none;
            constexpr int one = sizeof(F) != 0 ? 1 : 0, two = one + 1, three = one + 2; // known where F is
            constexpr bool relaxed = detail::are_relaxed<Arguments...>;
            using too_many = tracing::by_position<tracing::most_arguments + 1>;
            constexpr bool known_count = !too_many::template accepted_by<object>(typename too_many::all_inputs());
            static_assert(known_count, "function: the traced code takes any number of arguments; state how many by "
                                       "their names, as in function(f, wrt(x, y))");
#ifdef __clang__
            // Code that takes anything is compiled here, without a function in between.
            constexpr int anything = named ? tracing::count_of_any_of_lambda<object>() : 0;
            if constexpr (anything == one)
                static_assert(true || (void((*none<const object>())(*none<traced_number>())), true));
            else if constexpr (anything == two)
                static_assert(true ||
                              (void((*none<const object>())(*none<traced_number>(), *none<traced_number>())), true));
            else if constexpr (anything == three)
                static_assert(true || (void((*none<const object>())(*none<traced_number>(), *none<traced_number>(),
                                                                    *none<traced_number>())),
                                       true));
#endif
            if constexpr (!named || !known_count)
                return tracing::untraced{};
            else if constexpr (by_position<one>::template accepted_by<object>(typename by_position<one>::all_inputs()))
                return tracing::make_traced<F, by_position<one>, numbered_inputs<one>, void, relaxed>(f, bound,
                                                                                                      members);
            else if constexpr (by_position<two>::template accepted_by<object>(typename by_position<two>::all_inputs()))
                return tracing::make_traced<F, by_position<two>, numbered_inputs<two>, void, relaxed>(f, bound,
                                                                                                      members);
            else if constexpr (by_position<three>::template accepted_by<object>(
                                   typename by_position<three>::all_inputs()))
                return tracing::make_traced<F, by_position<three>, numbered_inputs<three>, void, relaxed>(f, bound,
                                                                                                          members);
            else {
                constexpr int count = tracing::count_of_arguments<object, 4>();
                constexpr bool takes_numbers = count > 0;
                constexpr bool is_const = tracing::has_const_call<(
                    takes_numbers || tracing::count_of_arguments<tracing::as_const<object>>() == 0)>();
                static_assert(takes_numbers || !is_const || tracing::after_refusal<F>() ||
                                  tracing::count_of_any<object>() > 0,
                              "function: the traced code does not take 1 to 64 separate numbers; correct the "
                              "errors above, if any, or state the count of an array, as in function<10>(f), "
                              "or the sizes behind pointers, as in function<inputs<9, 3>>(f)");
                if constexpr (takes_numbers)
                    return tracing::make_traced<F, by_position<count>, numbered_inputs<count>, void, relaxed>(f, bound,
                                                                                                              members);
                else
                    return tracing::untraced{};
            }
        }
    } else {
        return tracing::untraced{};
    }
}

} // namespace chainrule
