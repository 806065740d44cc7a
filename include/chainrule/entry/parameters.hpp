// SPDX-License-Identifier: BSL-1.0
//
// Parameters: the variables of a function outside wrt(), bound to values by given() and changed by set().
#pragma once

#include <chainrule/entry/named_values.hpp>
#include <chainrule/kernel/numbers.hpp>

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
    using type = parameter_storage<T>;
    static parameter find(const Variable*);
    parameter_storage<T> value;
};

/// The type of the number that holds a parameter, void if there is none of that name.
template <class V, class Parameters>
using type_of_parameter = typename core::entry_or<V, Parameters, void>::type;

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
    using types = core::type_list<>;
    using bindings = core::type_list<>;
    static void find(const void*);
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
    using variables = core::type_list<V...>;            ///< the parameters
    using types = core::type_list<T...>;                ///< of their values, as they were bound
    using bindings = core::type_list<binding<V, T>...>; ///< both
    /// Finds the base class that holds a parameter: core::entry_of.
    using detail::parameter<binding<V, T>>::find...;
    static void find(const void*); ///< that of no parameter
    /// All values, as numbers of type N.
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
        [[maybe_unused]] const int done[] = {0, (assign(static_cast<core::entry_of<W, parameters>&>(*this),
                                                        static_cast<const detail::parameter<binding<W, U>>&>(values)),
                                                 0)...};
    }

private:
    template <class W, class U, class S>
    static constexpr void assign(detail::parameter<binding<W, S>>& parameter,
                                 const detail::parameter<binding<W, U>>& changed) {
        constexpr bool holds = detail::holds_digits<S, U>();
        static_assert(holds, "set: the new value can have more digits than the type that given(...) bound; convert it, "
                             "as in F.set(k = 0.5f), or bind a value of its type");
        if constexpr (holds) parameter.value = static_cast<detail::parameter_storage<S>>(changed.value);
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
template <char... Name>
struct bound_parameters<bound_double<Name...>> : bound_parameters<typename bound_double<Name...>::binding_type> {};

template <class Number, std::size_t Size, class... V>
constexpr auto parameters_in_order(const std::array<Number, Size>& numbers, core::type_list<V...>) {
    std::size_t i = 0;
    return parameters<binding<V, Number>...>{
        parameter<binding<V, Number>>{static_cast<parameter_storage<Number>>(numbers[i++])}...};
}
template <class Elements, class Bound, std::size_t Columns>
struct bound_parameters<vector_binding<Elements, binding<void, Bound>, Columns>> {
    using range = typename range_in<Bound>::type;
    using list = expressions::long_list<Elements>;
    static constexpr std::size_t size{list::size};
    // Of what is refused, parameters all the same: a message that they are missing would be wrong.
    using number = std::conditional_t<is_range_of_numbers<range>, typename numbers_in<range>::type, double>;
    using type = decltype(detail::parameters_in_order(std::array<number, size>{}, list{}));
    static constexpr type of(const vector_binding<Elements, binding<void, Bound>, Columns>& b) {
        return detail::parameters_in_order(elements_of<numbers_for::parameters, size, Columns>(b.bound.value), list{});
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
        return parameters<typename Argument::binding_type...>{
            {static_cast<parameter_storage<decltype(Argument::value)>>(values.value)}...};
    else
        return joined_parameters(bound_parameters<Argument>::of(values)...);
}

template <class Argument>
inline constexpr bool binds_range = false;
template <class V, class T>
inline constexpr bool binds_range<binding<V, T>> =
    any_range<typename range_in<T>::type> && !expression<typename range_in<T>::type>;

/// The variables that arguments bind; none if one of them names no variable.
template <class... Argument>
consteval auto names_bound() {
    if constexpr (core::all_true({is_named<Argument>..., true}))
        return names_of<Argument...>();
    else
        return core::type_list<>{};
}

/// Checks that an argument for a vector of parameters gives each a number.
template <class Argument>
consteval bool right_range() {
    if constexpr (is_vector_binding<Argument> && !is_substitution<Argument>) {
        using bound = bound_parameters<Argument>;
        return right_elements<numbers_for::parameters, bound::size, typename bound::range>();
    }
    return true;
}

/// Checks that every argument gives a parameter a number, and no other argument does.
template <class... Argument>
consteval bool all_parameters() {
    constexpr bool single = !core::any_true({binds_range<Argument>..., false});
    static_assert(single,
                  "given, set: a single parameter is given something that is not a number; give it one number, or "
                  "give the range to a vector of parameters, as in given(a = weights) for variables<\"a\", 3>");
    constexpr bool numbers = !core::any_true({is_substitution<Argument>..., false});
    static_assert(numbers, "given, set: a parameter is given an expression; give it a number, or write "
                           "function(substitute(f, k = g), wrt(x))");
    constexpr bool named = core::all_true({is_named<Argument>..., true});
    static_assert(named, "given, set: an argument does not name its parameter; write given(k = 0.3), F.set(k = 0.4)");
    constexpr bool once = expressions::each_once(names_bound<Argument...>());
    static_assert(once, "given, set: a parameter is given two values; give each exactly one");
    return single && numbers && named && once && core::all_true({right_range<Argument>()..., true});
}

// In place of what is refused, parameters all the same: a message that they are missing would be wrong.
template <class... V>
constexpr parameters<binding<V, double>...> refused_parameters(core::type_list<V...>) {
    return {};
}
template <class... V>
consteval auto each_variable_once(core::type_list<V...>) {
    return typename graph::variables_of<V...>::type{};
}

} // namespace detail

/// Binds variables that are outside wrt() to values, once for all calls: given(k = 0.3). A vector of variables is bound
/// to a range with one number for each, or to a range of ranges: given(a = weights). Throws wrong_size if it has not
/// that many.
template <class... Binding>
[[nodiscard]] constexpr auto given(const Binding&... values) {
    if constexpr (detail::some_hold_arguments<Binding...>) {
        return detail::call_with([](const auto&... single) { return given(single...); },
                                 detail::in_single_values(values...));
    } else if constexpr (detail::all_parameters<Binding...>()) {
        return detail::all_given(values...);
    } else {
        using names = decltype(detail::names_bound<Binding...>());
        return detail::refused_parameters(detail::each_variable_once(names{}));
    }
}

namespace detail {

/// Changes parameters.
template <class Parameters, class... Binding>
constexpr void set_parameters(Parameters& bound, const Binding&... values) {
    if constexpr (some_hold_arguments<Binding...>) {
        call_with([&](const auto&... single) { detail::set_parameters(bound, single...); },
                  in_single_values(values...));
    } else if constexpr (all_parameters<Binding...>()) {
        const auto changed = all_given(values...);
        using named = typename decltype(changed)::variables;
        constexpr bool known =
            expressions::count_in(named{}, typename Parameters::variables{}) == static_cast<int>(int{named::size});
        static_assert(known, "set: a variable was not bound by given(...); only parameters can be set");
        if constexpr (known) bound.assign(changed);
    }
}

} // namespace detail

} // namespace chainrule
