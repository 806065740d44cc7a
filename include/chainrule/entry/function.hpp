// SPDX-License-Identifier: BSL-1.0
//
// function(), which makes a positional function of expressions: function(f, wrt(x, y), given(k = 0.3)).
// entry/traced_function.hpp has the same for code.
#pragma once

#include <chainrule/entry/positional_function.hpp>

namespace chainrule {

namespace detail {

/// Checks that no variable is both in wrt(...) and in given(...).
template <class Variables, class Bindings>
consteval bool disjoint() {
    using wrt_list = expressions::long_list<Variables>;
    using given_list = typename parameters_of<expressions::long_list<Bindings>>::variables;
    constexpr bool none = count_in(wrt_list{}, given_list{}) == 0;
    if constexpr (!none) {
        using twice =
            graph::the_variable_of<typename first_outside<wrt_list, decltype(without(wrt_list{}, given_list{}))>::type>;
        static_assert(twice::is_not_both_in_wrt_and_in_given,
                      "function: a variable is both in wrt(...) and in given(...); keep it in wrt if it is an "
                      "argument, in given if it is a parameter");
    }
    return none;
}

// (The variables and bindings have short names.)
template <bool Scalar, class Variables, class Bindings, class Vector>
[[nodiscard]] constexpr auto make_function(const Vector& f,
                                           const parameters_of<expressions::long_list<Bindings>>& bound) {
    (void)std::bool_constant<disjoint<Variables, Bindings>()>{};
    return positional_function<expressions::short_list<typename Vector::list>, Variables, Bindings, Scalar>(f, bound);
}

/// What relaxed() passes to function().
struct relaxed_values {};

template <class T>
inline constexpr bool is_parameters = false;
template <class... Bindings>
inline constexpr bool is_parameters<parameters<Bindings...>> = true;
template <class T>
inline constexpr bool is_list = !is_parameters<T>;
template <>
inline constexpr bool is_list<relaxed_values> = false;
template <class... Argument>
inline constexpr bool are_relaxed = core::any_true({std::is_same_v<Argument, relaxed_values>..., false});

// The parameters among the arguments after f.
[[nodiscard]] constexpr auto parameters_among() { return given(); }
template <class First, class... Rest>
[[nodiscard]] constexpr auto parameters_among(const First& first, const Rest&... rest) {
    if constexpr (is_parameters<First>)
        return first;
    else
        return parameters_among(rest...);
}
// The variables: those listed, or if none is, those of f that are not bound.
template <class A>
struct named_variables {
    using type = list_of<A>;
};
template <class... Bindings>
struct named_variables<parameters<Bindings...>> {
    using type = type_list<>;
};
template <>
struct named_variables<relaxed_values> {
    using type = type_list<>;
};
template <class Vector, class Parameters, class... A>
consteval auto variables_among() {
    if constexpr (!core::any_true({is_list<A>..., false}))
        return without(decltype(graph::variables_in(typename Vector::list{})){}, typename Parameters::variables{});
    else
        return wrt(typename core::joined_lists<typename named_variables<A>::type...>::type{});
}

/// Checks the arguments after f.
template <class... Arguments>
consteval bool right_arguments() {
    constexpr bool bound_in_given = !core::any_true({is_binding<Arguments>..., false});
    static_assert(bound_in_given,
                  "function: an argument is a value instead of a variable; bind parameters with given(k = 0.3)");
    constexpr bool once = core::sum_of({int{is_parameters<Arguments>}..., 0}) <= 1;
    static_assert(once, "function: given(...) occurs twice; bind all parameters in one");
    return bound_in_given && once;
}

/// Whether F is code instead of expressions. (Each condition is separate, since clang writes out the type if a part of
/// a || b fails.)
template <class F>
consteval bool is_code() {
    if constexpr (expressions::array_kind_of<F> != expressions::array_kind::scalar)
        return false;
    else if constexpr (expression<F>)
        return false;
    else
        return !expressions::storable<F> && !expressions::integral_constant<F>;
}
/// The expressions of a vector, with relaxed values if that is stated.
template <bool Relaxed, class Vector>
CHAINRULE_PER_NODE auto with_values(const Vector& f) {
    if constexpr (Relaxed)
        return relaxed(f);
    else
        return f;
}
/// The vector of the expressions that f stands for: an expression or a number is one, a matrix its elements.
template <class F>
CHAINRULE_PER_NODE auto outputs_of(const F& f) {
    using expressions::array_kind;
    if constexpr (expressions::array_kind_of<F> == array_kind::vector)
        return f;
    else if constexpr (expressions::array_kind_of<F> == array_kind::matrix)
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return expressions::array_of<0>(expressions::element_at<I>(f)...);
        }(expressions::indices_of<F>{});
    else
        return vector(f);
}

} // namespace detail

/// Lets function() rearrange the values of a function as it rearranges derivatives, and call the functions of a vector
/// library for several numbers at once: function(f, wrt(x, y), relaxed()).
/// relaxed(u) does so for one expression, and for a number in traced code; it is u for other numbers.
/// Example: `constexpr auto F = function(vector(x / z, y / z), wrt(x, y, z), relaxed()); // one division`
[[nodiscard]] constexpr detail::relaxed_values relaxed() { return {}; }

/// Nothing to differentiate is an error.
template <class Nothing = void>
constexpr auto function() {
    static_assert(!std::is_void_v<Nothing>, "function: the argument is missing; pass an expression or code, as in "
                                            "function([](auto x) { return x * x; })");
}

/// Makes f, an expression or a vector of expressions (a matrix is the vector of its elements), a positional function of
/// the listed variables: function(f, wrt(x, y)) or function(f, x, y); without a list, of all variables of f in order of
/// first appearance. Other variables of f are parameters, bound by given(). Calls may also name the variables.
/// Example: `constexpr auto F = function(f, wrt(x, y)); F(2.0, 5.0); F.gradient(2.0, 5.0); F(y = 5.0, x = 2.0);`
template <class F, class... Arguments>
requires(!detail::is_code<F>())
[[nodiscard]] constexpr auto function(const F& f, const Arguments&... arguments) {
    if constexpr (detail::right_arguments<Arguments...>()) {
        const auto bound = detail::parameters_among(arguments...);
        const auto outputs = detail::with_values<detail::are_relaxed<Arguments...>>(detail::outputs_of(f));
        using bound_parameters = std::remove_const_t<decltype(bound)>;
        using variables =
            decltype(detail::variables_among<std::remove_const_t<decltype(outputs)>, bound_parameters, Arguments...>());
        constexpr bool scalar = expressions::array_kind_of<F> == expressions::array_kind::scalar;
        return detail::make_function<scalar, expressions::short_list<variables>,
                                     expressions::short_list<typename bound_parameters::bindings>>(outputs, bound);
    }
}

/// The mode in which the Jacobian of a function made by function() is derived: the one with the fewest operations.
/// Example: `static_assert(jacobian_mode_of(function(vector(sin(x), cos(x), exp(x)), wrt(x))) ==
/// jacobian_mode::forward);`
template <class E, class V, class Bindings, bool Scalar>
[[nodiscard]] consteval jacobian_mode jacobian_mode_of(const positional_function<E, V, Bindings, Scalar>&) {
    return positional_function<E, V, Bindings, Scalar>::best_jacobian_mode();
}
/// The old name of jacobian_mode_of().
template <class F>
[[nodiscard, deprecated("write jacobian_mode_of")]] consteval jacobian_mode derivation_of(const F& f) {
    return jacobian_mode_of(f);
}

} // namespace chainrule
