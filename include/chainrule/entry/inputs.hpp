// SPDX-License-Identifier: BSL-1.0
//
// The inputs of a kernel: a point in the caller's memory, parameters bound once, and a direction or weights.
// entry/function.hpp combines them.
#pragma once

#include <chainrule/entry/evaluate.hpp>
#include <chainrule/entry/points.hpp>

namespace chainrule {

namespace detail {

// The storage of a parameter that was bound to a T: for an integer a floating-point number, since set() may assign one.
// A computation with the parameter still has the type of a computation with a T.
template <class T>
using parameter_storage =
    std::conditional_t<!is_integer<T>, T, std::conditional_t<(sizeof(T) * 8 > 53), long double, double>>;

// Whether a parameter that was bound to a T can be set to a U without loss of digits. Integers are converted to double,
// and count as having at most its digits.
template <class T, class U>
consteval bool holds_digits() {
    using computed = std::conditional_t<is_integer<T>, double, T>;
    if constexpr (std::same_as<computed, U>)
        return true;
    else if constexpr (!std::is_arithmetic_v<computed>)
        return is_integer<U> || std::is_arithmetic_v<U> || std::is_convertible_v<U, computed>;
    else if constexpr (is_integer<U>)
        return std::numeric_limits<computed>::digits >= 53 || sizeof(U) * 8 <= std::numeric_limits<computed>::digits;
    else
        return std::floating_point<U> && std::numeric_limits<U>::digits <= std::numeric_limits<computed>::digits;
}

template <class Binding>
struct parameter;
template <class Variable, class T>
struct parameter<binding<Variable, T>> {
    using variable = Variable;
    parameter_storage<T> value;
};

} // namespace detail

/// Values of parameters, bound once: see function().
template <class... Bindings>
struct parameters;
template <class... V, class... T>
struct parameters<binding<V, T>...> : detail::parameter<binding<V, T>>... {
    using variables = core::type_list<V...>;
    template <class N>
    constexpr kernel::buffer<N, sizeof...(V)> as() const {
        return {{static_cast<N>(static_cast<const detail::parameter<binding<V, T>>&>(*this).value)...}};
    }
};

namespace detail {

/// Checks that every argument gives a parameter a number.
template <class... Argument>
consteval bool all_parameters() {
    constexpr bool numbers = !core::any_true({is_substitution<Argument>..., false});
    static_assert(numbers, "given, set: a parameter is given an expression; give it a number, or write "
                           "function(substitute(f, k = g), wrt(x))");
    constexpr bool named = core::all_true({(is_binding<Argument> || is_substitution<Argument>)..., true});
    static_assert(named, "given, set: an argument does not name its parameter; write given(k = 0.3), F.set(k = 0.4)");
    return numbers && named;
}

} // namespace detail

namespace detail {

template <class W, class T, class U>
constexpr void set_parameter(parameter<binding<W, T>>& to, const U& value) {
    constexpr bool holds = holds_digits<T, U>();
    static_assert(holds, "set: the new value can have more digits than the type that given(...) bound; convert it, "
                         "as in F.set(k = 0.5f), or bind a value of its type");
    if constexpr (holds) to.value = static_cast<parameter_storage<T>>(value);
}

/// F.set(k = 0.4): changes the values of parameters.
template <class... Bindings, class... Given>
constexpr void set_parameters(parameters<Bindings...>& all, const Given&... values) {
    if constexpr (all_parameters<Given...>()) {
        constexpr bool known = expressions::count_in(core::type_list<typename Given::variable...>{},
                                                     core::type_list<typename Bindings::variable...>{}) ==
                               static_cast<int>(sizeof...(Given));
        static_assert(known, "set: a variable was not bound by given(...); only parameters can be set");
        if constexpr (known) (set_parameter<typename Given::variable>(all, values.value), ...);
    }
}

} // namespace detail

/// Binds variables that are outside wrt() to values, once for all calls: given(k = 0.3).
template <class... Binding>
[[nodiscard]] constexpr auto given(Binding... values) {
    if constexpr (detail::all_parameters<Binding...>()) {
        constexpr bool once = expressions::each_once(core::type_list<typename Binding::variable...>{});
        static_assert(once, "given: a variable is given two values; give each variable exactly one");
        return parameters<Binding...>{
            {static_cast<detail::parameter_storage<decltype(Binding::value)>>(values.value)}...};
    } else {
        return parameters<>{};
    }
}

namespace detail {

// F(x = 2.0): the check of the call rejects values that are not numbers.
template <class V, class U>
struct argument_number<binding<V, U>, source::unknown> {
    using type = std::conditional_t<expressions::storable<U> || expression<U>, U, double>;
};
template <class V, class G>
struct argument_number<substitution<V, G>, source::unknown> {
    using type = double;
};

// The inputs of a program: the point, then the parameters.
template <class T, class Element, int Size, int Parameters>
struct point_and_parameters {
    const Element* point;
    buffer<T, Parameters> bound;
    CHAINRULE_STEP constexpr T operator[](std::size_t i) const {
        if constexpr (Parameters == 0)
            return static_cast<T>(point[i]);
        else
            return i < static_cast<std::size_t>(Size) ? static_cast<T>(point[i])
                                                      : bound[i - static_cast<std::size_t>(Size)];
    }
    CHAINRULE_STEP constexpr void refresh() { kernel::forget(point); }
};

// The inputs of a program that also takes a direction or weights.
template <class Inputs, class Element, int Size>
struct with_further_inputs {
    Inputs inputs;
    const Element* further;
    CHAINRULE_STEP constexpr auto operator[](std::size_t i) const {
        using T = decltype(inputs[i]);
        return i < static_cast<std::size_t>(Size) ? inputs[i]
                                                  : static_cast<T>(further[i - static_cast<std::size_t>(Size)]);
    }
    CHAINRULE_STEP constexpr void refresh() {
        inputs.refresh();
        kernel::forget(further);
    }
};

/// Of some variables those that occur in the expressions.
template <class... E, class... W>
consteval auto occurring(core::type_list<E...>, core::type_list<W...> variables) {
    if constexpr (sizeof...(W) == 0)
        return variables;
    else
        return expressions::variables_where<true>(variables, typename graph::variables_of<E...>::type{});
}
/// Checks that a call of a function by name names all its variables.
template <class Expressions, class Variables, class... W>
consteval bool names_match(core::type_list<W...>) {
    using given = core::type_list<W...>;
    if constexpr (one_value_each(given{})) {
        constexpr bool all = int{decltype(expressions::without(Variables{}, given{}))::size} == 0;
        if constexpr (!all) {
            using others = decltype(expressions::without(given{}, Variables{}));
            using foreign = decltype(expressions::without(others{}, occurring(Expressions{}, others{})));
            return complete<all, given, typename foreign_in<int{foreign::size} == 0 ? -1 : 0, foreign>::type>(
                Variables{});
        }
        return all;
    }
    return false;
}

template <bool Complete, class Inputs, class... E>
consteval bool complete_with_parameters(core::type_list<E...>) {
    if constexpr (!Complete) {
        using variable = graph::the_variable_of<
            typename graph::first_outside<typename graph::variables_of<E...>::type, Inputs>::type>;
        static_assert(variable::is_an_argument_or_a_parameter,
                      "function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of "
                      "them, as in function(f, wrt(x), given(k = 0.3))");
    }
    return Complete;
}

/// Checks that every variable of f is an argument or a parameter of function(). (Without arguments: a message would
/// write out their values.)
template <unsigned Request, int Wrt, class Inputs, class Expressions>
consteval bool all_bound() {
    if constexpr (!expressions::each_once(Inputs{})) {
        return false; // function() has said so
    } else if constexpr (codegen::small_enough<Request, Wrt, Inputs, Expressions>()) {
        constexpr bool all =
            codegen::compiled<Request, Wrt, Inputs, Expressions>::code.variable_count == int{Inputs::size};
        return complete_with_parameters<all, Inputs>(Expressions{});
    } else {
        return false; // function() has already reported it
    }
}

} // namespace detail

} // namespace chainrule
