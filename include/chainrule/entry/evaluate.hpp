// SPDX-License-Identifier: BSL-1.0
//
// Evaluation by name, as in f(x = 2.0, y = 5.0): runs the program of a request, with the values matched to variables at
// compile time.
#pragma once

#include <chainrule/entry/faults.hpp>
#include <chainrule/entry/named_values.hpp>
#include <chainrule/kernel/numbers.hpp>
#include <chainrule/graph/variables.hpp>
#include <chainrule/trace/number.hpp>

namespace chainrule {

namespace detail {

/// Whether an argument of a call gives its variable something other than a number.
template <class Argument>
consteval bool gives_no_number() {
    if constexpr (is_binding<Argument>)
        return !(expressions::storable<decltype(Argument::value)> || expression<decltype(Argument::value)>); // active
    else
        return false;
}
/// The fault of arguments that should give numbers to variables.
template <class... Argument>
consteval auto find_fault_of_arguments();
template <class... Argument>
consteval auto find_fault_of_each(core::type_list<Argument...>) {
    return find_fault_of_arguments<Argument...>();
}
template <class... Argument>
consteval auto find_fault_of_arguments() {
    constexpr bool named = core::all_true({is_named<Argument>..., true});
    constexpr int other = core::first_true({gives_no_number<Argument>()..., false});
    constexpr int refused = core::first_true({std::is_base_of_v<refused_argument, Argument>..., false});
    if constexpr (some_hold_arguments<Argument...>)
        return detail::find_fault_of_each(all_arguments<Argument...>{});
    else if constexpr (refused >= 0)
        return typename core::type_at<refused, core::type_list<Argument...>>::type{};
    else if constexpr (core::any_true({is_substitution<Argument>..., false}))
        return expression_for_variable{};
    else if constexpr (!named)
        return argument_without_name{};
    else if constexpr (other >= 0)
        return value_is_no_number<
            graph::the_variable_of<typename core::type_at<other, core::type_list<Argument...>>::type::variable>>{};
    else
        return no_fault{};
}
template <class... Argument>
using fault_of_arguments = decltype(find_fault_of_arguments<Argument...>());

/// The variable at a place in a list.
template <int Place, class List>
using variable_at = graph::the_variable_of<typename core::type_at<Place, List>::type>;
/// The first variable of a list that another lacks.
template <class Variables, class Given>
using first_without_value = graph::the_variable_of<typename graph::first_outside<Variables, Given>::type>;

template <class Given, class... E>
consteval auto first_missing(core::type_list<E...>) {
    return not_given<first_without_value<typename graph::variables_of<E...>::type, Given>>{};
}
/// The fault of a call that gives values to these variables of a program.
template <class Given, unsigned Request, int Wrt, class Variables, class Expressions>
consteval auto find_fault(std::type_identity<codegen::compiled<Request, Wrt, Variables, Expressions>>) {
    constexpr int repeated = expressions::first_repeated(Given{});
    if constexpr (repeated >= 0) {
        return given_twice<variable_at<repeated, Given>>{};
    } else if constexpr (!codegen::is_small<Request, Wrt, Variables, Expressions>) {
        return codegen::too_many_operations<codegen::are_traced<Expressions>>{};
    } else {
        constexpr const auto& code = codegen::compiled<Request, Wrt, Variables, Expressions>::code();
        if constexpr (code.variable_count == int{Given::size})
            return no_fault{}; // though some may not occur
        else if constexpr (code.unused >= 0)
            return given_another<variable_at<code.unused, Variables>>{};
        else
            return first_missing<Given>(Expressions{});
    }
}
template <class Code, class Given>
using fault_of_evaluation = decltype(detail::find_fault<Given>(std::type_identity<Code>{}));

/// Of some variables those that occur in the expressions.
template <class... E, class... W>
consteval auto occurring(core::type_list<E...>, core::type_list<W...> variables) {
    if constexpr (sizeof...(W) == 0)
        return variables;
    else
        return expressions::variables_where<true>(variables, typename graph::variables_of<E...>::type{});
}

/// The fault of a call of a function with these names, which should name all its variables.
template <class Expressions, class Variables, class Given>
consteval auto find_fault_of_names() {
    constexpr int repeated = expressions::first_repeated(Given{});
    if constexpr (repeated >= 0) {
        return given_twice<variable_at<repeated, Given>>{};
    } else if constexpr (int{decltype(expressions::without(Variables{}, Given{}))::size} > 0) {
        using others = decltype(expressions::without(Given{}, Variables{}));
        using outside = decltype(expressions::without(others{}, occurring(Expressions{}, others{})));
        if constexpr (int{outside::size} > 0)
            return given_another<variable_at<0, outside>>{};
        else
            return not_given<first_without_value<Variables, Given>>{};
    } else {
        return no_fault{};
    }
}
/// The fault of a call of a function by name. Expressions and Variables are lists, or short names of lists.
template <class Expressions, class Variables, class... Argument>
consteval auto find_fault_of_call() {
    if constexpr (std::same_as<fault_of_arguments<Argument...>, no_fault>)
        return find_fault_of_names<expressions::long_list<Expressions>, expressions::long_list<Variables>,
                                   decltype(names_of<Argument...>())>();
    else
        return fault_of_arguments<Argument...>{};
}
template <class Expressions, class Variables, class... Argument>
using fault_of_call = decltype(detail::find_fault_of_call<Expressions, Variables, Argument...>());
template <class Expressions>
using short_variables_in =
    expressions::short_list<decltype(graph::variables_in(expressions::long_list<Expressions>{}))>;

/// The values of a call for variables, each once. A base class for each finds it without a search through the others.
template <class V, class U>
struct value_of_call {
    using type = U;
    static value_of_call find(const V*);
    const U& value;
};
template <class... Binding>
struct values_of_call : value_of_call<typename Binding::variable, decltype(Binding::value)>... {
    using value_of_call<typename Binding::variable, decltype(Binding::value)>::find...;
    static void find(const void*);
};
template <class... Binding>
CHAINRULE_STEP constexpr auto in_values_of_call(const Binding&... given) {
    return values_of_call<Binding...>{{given.value}...};
}

/// The type of the value for a variable, Default if there is none.
template <class V, class Default, class Values>
using type_of_value = typename core::entry_or<V, Values, Default>::type;

/// The value for a variable. A variable without a value does not occur in f, so any value will do.
template <class V, class T, class Values>
CHAINRULE_STEP constexpr T value_for(const Values& given) {
    if constexpr (std::is_void_v<core::entry_of<V, Values>>)
        return T{};
    else
        return static_cast<T>(core::value_in_entry<V>(given));
}

/// Whether evaluating E... with numbers of type T is one statement on a tape, because all active numbers are inputs. If
/// E itself contains active numbers, every operation of the program is a statement.
template <class T, class Expressions>
inline constexpr bool recorded_whole = false;
template <class T, class... E>
inline constexpr bool recorded_whole<T, core::type_list<E...>> =
    (expressions::is_active<T> || tracing::is_traced<T>) &&
    core::all_true({!expressions::is_active<typename stored_number<E>::type>..., true});

/// Whether a value has no place on the tapes of numbers T.
template <class T, class Value>
inline constexpr bool is_plain_value =
    kernel::is_integer<Value> || std::is_arithmetic_v<Value> || std::same_as<Value, kernel::plain_number<T>>;
/// Records the values of expressions for numbers that are recorded: as a statement on a tape, or as nodes of a trace.
/// Values are the types of what is given for the inputs.
template <class Code, class T, class Expressions, class Inputs, class Values, int Rows, class Variables, class Numbers,
          class Outputs>
CHAINRULE_STEP constexpr void record(const Variables& variables, const Numbers& numbers, Outputs& outputs) {
    if constexpr (tracing::is_traced<T>) {
        // Of plain numbers alone there is nothing to record.
        if (!T::template record_call<Expressions, Inputs, Rows>(variables, numbers, outputs))
            kernel::runner<typename Code::program>::template run<T>(variables, numbers, outputs);
    } else {
        T::template record_call<Expressions, Inputs, Values, Rows>(variables, numbers, outputs);
    }
}

/// Runs a program with values by name and writes to outputs[0], outputs[1] and so on. `numbers` holds the expressions'
/// stored numbers.
template <class Code, class T, class Numbers, class Outputs, class... V, class... U>
CHAINRULE_STEP constexpr void run_by_name(const Numbers& numbers, Outputs& outputs, binding<V, U>... given) {
    const buffer<T, sizeof...(V)> variables{{static_cast<T>(given.value)...}};
    kernel::runner<typename Code::program>::template run<T>(variables, numbers, outputs);
}

} // namespace detail

/// The value of f, computed as written, for values of its variables given by name in any order, as in
/// f(x = 2.0, y = 5.0). The type of the result is that of the same plain C++ expression.
template <class E, class... Arguments>
[[gnu::always_inline]] constexpr auto expressions::evaluate(const E& f, Arguments... arguments) {
    if constexpr (detail::some_vectors<Arguments...>) {
        using list = core::type_list<E>;
        if constexpr (detail::without_fault<
                          detail::fault_of_call<list, detail::short_variables_in<list>, Arguments...>>())
            return detail::call_with(f, detail::in_single_values(arguments...));
        else
            return 0.0;
    } else if constexpr (detail::without_fault<detail::fault_of_arguments<Arguments...>>()) {
        using given = core::type_list<typename Arguments::variable...>;
        using code = codegen::compiled<request::values, 0, given, core::type_list<E>>;
        using number = typename kernel::computation<core::type_list<E>, decltype(arguments.value)...>::type;
        number result[1] = {};
        if constexpr (detail::without_fault<
                          detail::fault_on_numbers<number, code, detail::fault_of_evaluation<code, given>>>()) {
            if constexpr (detail::recorded_whole<number, core::type_list<E>>) {
                const kernel::buffer<number, sizeof...(Arguments)> variables{{static_cast<number>(arguments.value)...}};
                detail::record<code, number, core::type_list<E>, given, core::type_list<decltype(arguments.value)...>,
                               1>(variables, kernel::numbers_of_expression<kernel::plain_number<number>>(f), result);
            } else {
                detail::run_by_name<code, number>(kernel::numbers_of_expression<number>(f), result, arguments...);
            }
        }
        return result[0];
    } else {
        return 0.0; // so that what uses the value adds no errors
    }
}

/// The values of the expressions of a vector, as a std::array, for values of their variables by name.
template <class Elements, class... Arguments>
[[gnu::always_inline]] constexpr auto expressions::evaluate_vector(const members_of_vector<Elements>& f,
                                                                   Arguments... arguments) {
    using list = long_list<Elements>;
    constexpr std::size_t size{list::size};
    if constexpr (detail::some_vectors<Arguments...>) {
        if constexpr (detail::without_fault<
                          detail::fault_of_call<Elements, detail::short_variables_in<Elements>, Arguments...>>())
            return detail::call_with(f, detail::in_single_values(arguments...));
        else
            return std::array<double, size>{};
    } else if constexpr (detail::without_fault<detail::fault_of_arguments<Arguments...>>()) {
        using given = core::type_list<typename Arguments::variable...>;
        using code = codegen::compiled<request::values, 0, given, list>;
        using number = typename kernel::computation<list, decltype(arguments.value)...>::type;
        std::array<number, size> result{};
        if constexpr (detail::without_fault<detail::fault_of_evaluation<code, given>>()) {
            if constexpr (detail::recorded_whole<number, list>) {
                const kernel::buffer<number, sizeof...(Arguments)> variables{{static_cast<number>(arguments.value)...}};
                detail::record<code, number, list, given, core::type_list<decltype(arguments.value)...>, size>(
                    variables, kernel::numbers_of<kernel::plain_number<number>>(f), result);
            } else {
                detail::run_by_name<code, number>(kernel::numbers_of<number>(f), result, arguments...);
            }
        }
        return result;
    } else {
        return std::array<double, size>{};
    }
}

} // namespace chainrule
