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

// Whether parameters have the layout of an array of N. (As that of stored numbers: kernel/numbers.hpp.)
template <class N, class... T>
inline constexpr bool are_an_array =
    (std::same_as<N, float> || std::same_as<N, double>) && core::all_true({std::same_as<parameter_storage<T>, N>...});

} // namespace detail

/// Values of parameters, bound once: see function().
template <class... Bindings>
struct parameters;
template <>
struct parameters<> {
    using variables = core::type_list<>;
    template <class N>
    constexpr kernel::buffer<N, 0> as() const {
        return {};
    }
    template <class N>
    constexpr kernel::buffer<N, 0> in_place() const {
        return {};
    }
};
template <class... V, class... T>
struct parameters<binding<V, T>...> : detail::parameter<binding<V, T>>... {
    using variables = core::type_list<V...>;
    template <class N>
    constexpr kernel::buffer<N, sizeof...(V)> as() const {
        return {{static_cast<N>(static_cast<const detail::parameter<binding<V, T>>&>(*this).value)...}};
    }
    /// The same, but read where they are if they are numbers of that type: a program reads each when it needs it.
    template <class N>
    CHAINRULE_STEP constexpr auto in_place() const {
        if constexpr (detail::are_an_array<N, T...>)
            return kernel::in_place<N, sizeof...(V)>(*this);
        else
            return as<N>();
    }
    /// Assigns the values of parameters with these names.
    template <class... W, class... U>
    constexpr void assign(const parameters<binding<W, U>...>& values) {
        (assign<W, U>(*this, static_cast<const detail::parameter<binding<W, U>>&>(values).value), ...);
    }

private:
    template <class W, class U, class S>
    static constexpr void assign(detail::parameter<binding<W, S>>& parameter,
                                 const detail::parameter_storage<U>& value) {
        constexpr bool holds = detail::holds_digits<S, U>();
        static_assert(holds, "set: the new value can have more digits than the type that given(...) bound; convert it, "
                             "as in F.set(k = 0.5f), or bind a value of its type");
        if constexpr (holds) parameter.value = static_cast<detail::parameter_storage<S>>(value);
    }
};

namespace detail {

// Values of parameters that one argument of given() or set() binds.
template <class Argument>
struct bound_parameters;
template <class V, class T>
struct bound_parameters<binding<V, T>> {
    using type = parameters<binding<V, T>>;
    static constexpr type of(const binding<V, T>& b) { return {{static_cast<parameter_storage<T>>(b.value)}}; }
};

template <class... V, class Bound, std::size_t Columns>
struct bound_parameters<vector_binding<core::type_list<V...>, binding<void, Bound>, Columns>> {
    using range = typename range_in<Bound>::type;
    // Of what is refused, parameters all the same: a message that they are missing would be wrong.
    using number = std::conditional_t<is_range_of_numbers<range>, typename numbers_in<range>::type, double>;
    using type = parameters<binding<V, number>...>;
    static constexpr auto of(const vector_binding<core::type_list<V...>, binding<void, Bound>, Columns>& b) {
        if constexpr (right_elements<numbers_for::parameters, sizeof...(V), range>()) {
            const auto copy = elements_of<numbers_for::parameters, sizeof...(V), Columns>(b.bound.value);
            std::size_t i = 0;
            return parameters<binding<V, number>...>{
                parameter<binding<V, number>>{static_cast<parameter_storage<number>>(copy[i++])}...};
        } else {
            return type{};
        }
    }
};

template <class... A>
constexpr auto joined_parameters(const parameters<A...>& all) {
    return all;
}
template <class... A, class... B, class... Rest>
constexpr auto joined_parameters(const parameters<A...>& a, const parameters<B...>& b, const Rest&... rest) {
    return joined_parameters(
        parameters<A..., B...>{static_cast<const parameter<A>&>(a)..., static_cast<const parameter<B>&>(b)...},
        rest...);
}

/// The parameters that arguments bind.
template <class... Argument>
constexpr auto all_given(const Argument&... values) {
    if constexpr (core::all_true({is_binding<Argument>..., true}))
        return parameters<Argument...>{{static_cast<parameter_storage<decltype(Argument::value)>>(values.value)}...};
    else
        return joined_parameters(bound_parameters<Argument>::of(values)...);
}

template <class Argument>
inline constexpr bool binds_range = false;
template <class V, class T>
inline constexpr bool binds_range<binding<V, T>> =
    any_range<typename range_in<T>::type> && !expression<typename range_in<T>::type>;

/// Checks that every argument gives a parameter a number.
template <class... Argument>
consteval bool all_parameters() {
    constexpr bool single = !core::any_true({binds_range<Argument>..., false});
    static_assert(single,
                  "given, set: a single parameter is given something that is not a number; give it one number, or "
                  "give the range to a vector of parameters, as in given(a = weights) for variables<\"a\", 3>");
    constexpr bool numbers = !core::any_true({is_substitution<Argument>..., false});
    static_assert(numbers, "given, set: a parameter is given an expression; give it a number, or write "
                           "function(substitute(f, k = g), wrt(x))");
    constexpr bool named =
        core::all_true({(is_binding<Argument> || is_substitution<Argument> || is_vector_binding<Argument>)..., true});
    static_assert(named, "given, set: an argument does not name its parameter; write given(k = 0.3), F.set(k = 0.4)");
    return single && numbers && named;
}

} // namespace detail

/// Binds variables that are outside wrt() to values, once for all calls: given(k = 0.3). A vector of variables is bound
/// to a range with one number for each, or to a range of ranges: given(a = weights). Throws wrong_size if it has not
/// that many.
template <class... Binding>
[[nodiscard]] constexpr auto given(const Binding&... values) {
    if constexpr (detail::all_parameters<Binding...>()) {
        const auto bound = detail::all_given(values...);
        constexpr bool once = expressions::each_once(typename decltype(bound)::variables{});
        static_assert(once, "given: a variable is given two values; give each variable exactly one");
        return bound;
    } else if constexpr ((true && ... && requires { typename Binding::variable; })) {
        return parameters<binding<typename Binding::variable, double>...>{};
    } else {
        return parameters<>{};
    }
}

namespace detail {

/// Changes parameters.
template <class Parameters, class... Binding>
constexpr void set_parameters(Parameters& bound, const Binding&... values) {
    if constexpr (all_parameters<Binding...>()) {
        const auto changed = all_given(values...);
        using named = typename decltype(changed)::variables;
        constexpr bool known =
            expressions::count_in(named{}, typename Parameters::variables{}) == static_cast<int>(int{named::size});
        static_assert(known, "set: a variable was not bound by given(...); only parameters can be set");
        if constexpr (known) bound.assign(changed);
    }
}

// F(x = 2.0): the check of the call rejects values that are not numbers.
template <class V, class U>
struct argument_number<binding<V, U>, source::unknown> {
    using type = std::conditional_t<expressions::storable<U> || expression<U>, U, double>;
};
template <class List, class Bound, std::size_t Columns>
struct argument_number<vector_binding<List, binding<void, Bound>, Columns>, source::unknown> {
    using range = typename range_in<Bound>::type;
    using type = std::conditional_t<is_range_of_numbers<range>, typename numbers_in<range>::type, double>;
};
template <class V, class G>
struct argument_number<substitution<V, G>, source::unknown> {
    using type = double;
};

/// The ways in which a call gives a point: F(y = 5.0, x = 2.0), F(range), F(2.0, 5.0).
enum class point_form : unsigned char { by_name, as_range, as_numbers, invalid };

/// The way in which arguments give a point of that many variables; each invalid way has its message.
template <std::size_t Size, class... Point>
consteval point_form form_of_point() {
    constexpr bool numbers = (true && ... && (source_for<Point> == source::number));
    if constexpr (sizeof...(Point) > 0 &&
                  (true && ... && (is_binding<Point> || is_substitution<Point> || is_vector_binding<Point>))) {
        return point_form::by_name;
    } else if constexpr (sizeof...(Point) == 1 && !numbers) {
        return point_form::as_range;
    } else if constexpr ((false || ... || (is_binding<Point> || is_vector_binding<Point>))) {
        constexpr bool all_named = sizeof...(Point) == 0;
        static_assert(all_named, "function: some arguments name their variables and some do not; name all of them, "
                                 "as in F(x = 2.0, y = 5.0), or none");
        return point_form::invalid;
    } else {
        constexpr bool right_count = numbers && sizeof...(Point) == Size;
        static_assert(right_count,
                      "function: the point does not have one number per variable in wrt(...); pass that many, "
                      "or a std::array or std::span of them");
        return right_count ? point_form::as_numbers : point_form::invalid;
    }
}

// The inputs of a program: the point, then the parameters.
template <class T, class Element, int Size, int Parameters, class Bound>
struct point_and_parameters {
    const Element* point;
    Bound bound;
    CHAINRULE_STEP constexpr T operator[](std::size_t i) const {
        if constexpr (Parameters == 0)
            return static_cast<T>(point[i]);
        else
            return i < static_cast<std::size_t>(Size) ? static_cast<T>(point[i])
                                                      : bound[i - static_cast<std::size_t>(Size)];
    }
    CHAINRULE_STEP constexpr void refresh() {
        kernel::forget(point);
        bound.refresh();
    }
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
// Faults are found in types and reported by functions whose template arguments are short: compilers write out those of
// each function on the way to an error.

/// The variable that a call by name omits, and one that it names and that does not occur; void for none.
template <bool Complete, class Expressions, class Variables, class Given>
struct omitted_names {
    using missing = void;
    using foreign = void;
};
template <class Expressions, class Variables, class Given>
struct omitted_names<false, Expressions, Variables, Given> {
    using others = decltype(expressions::without(Given{}, Variables{}));
    using outside = decltype(expressions::without(others{}, occurring(Expressions{}, others{})));
    using missing = graph::the_variable_of<typename graph::first_outside<Variables, Given>::type>;
    using foreign = typename foreign_in<int{outside::size} == 0 ? -1 : 0, outside>::type;
};
/// The same, and a variable that it names twice.
template <class Expressions, class Variables, class Given>
struct names_of_call : omitted_names<(expressions::first_repeated(Given{}) >= 0 ||
                                      int{decltype(expressions::without(Variables{}, Given{}))::size} == 0),
                                     Expressions, Variables, Given> {
    using repeated = typename foreign_in<expressions::first_repeated(Given{}), Given>::type;
};
/// Checks that there are none.
template <class Repeated, class Missing, class Foreign>
consteval bool right_names() {
    if constexpr (!std::is_void_v<Repeated>)
        report_repeated<Repeated>();
    else if constexpr (!std::is_void_v<Missing>)
        missing<Missing, Foreign>();
    return std::is_void_v<Repeated> && std::is_void_v<Missing>;
}
/// Checks that a call of a function by name names all its variables.
template <class Expressions, class Variables, class... W>
consteval bool names_match(core::type_list<W...>) {
    using names = names_of_call<Expressions, Variables, core::type_list<W...>>;
    return right_names<typename names::repeated, typename names::missing, typename names::foreign>();
}

struct reported_already {};
/// What is wrong with the program of a function: its size, or a variable that is neither an argument nor a parameter.
/// (Without arguments: a message would write out their values.)
template <unsigned Request, int Wrt, class Inputs, class Expressions>
consteval auto fault_of_program() {
    if constexpr (!expressions::each_once(Inputs{})) {
        return std::type_identity<reported_already>{}; // by function()
    } else if constexpr (!codegen::is_small<Request, Wrt, Inputs, Expressions>) {
        return std::type_identity<codegen::too_many_operations<codegen::are_traced<Expressions>>>{};
    } else {
        constexpr bool all =
            codegen::compiled<Request, Wrt, Inputs, Expressions>::code.variable_count == int{Inputs::size};
        if constexpr (all)
            return std::type_identity<void>{};
        else
            return []<class... E>(core::type_list<E...>) {
                return std::type_identity<graph::the_variable_of<
                    typename graph::first_outside<typename graph::variables_of<E...>::type, Inputs>::type>>{};
            }(Expressions{});
    }
}
template <class Fault>
consteval bool right_program() {
    if constexpr (requires { Fault::is_traced; })
        codegen::report_size<Fault>();
    else if constexpr (requires { Fault::is_an_argument_or_a_parameter; })
        static_assert(Fault::is_an_argument_or_a_parameter,
                      "function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of "
                      "them, as in function(f, wrt(x), given(k = 0.3))");
    return std::is_void_v<Fault>;
}
/// Checks that every variable of f is an argument or a parameter of function().
template <unsigned Request, int Wrt, class Inputs, class Expressions>
consteval bool all_bound() {
    return right_program<typename decltype(fault_of_program<Request, Wrt, Inputs, Expressions>())::type>();
}

} // namespace detail

} // namespace chainrule
