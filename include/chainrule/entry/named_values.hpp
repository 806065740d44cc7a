// SPDX-License-Identifier: BSL-1.0
//
// Values by name: x = 2.0 for a variable, v = array for a vector or matrix of variables, and how the numbers of the
// latter are read. entry/evaluate.hpp and entry/inputs.hpp match them to the variables of programs.
#pragma once

#include <chainrule/entry/faults.hpp>
#include <chainrule/entry/points.hpp>
#include <chainrule/expression/vector.hpp>
#include <chainrule/graph/variables.hpp>

namespace chainrule::detail {

template <class T>
inline constexpr bool is_substitution = false;
template <class V, class G>
inline constexpr bool is_substitution<substitution<V, G>> = true;
template <class T>
inline constexpr bool is_binding = false;
template <class V, class T>
inline constexpr bool is_binding<binding<V, T>> = true;
template <char... Name>
inline constexpr bool is_binding<bound_double<Name...>> = true;
template <class T>
inline constexpr bool is_vector_binding = false;
template <class... E>
consteval bool are_variables(core::type_list<E...>) {
    return core::all_true({expressions::variable_node<E>..., true});
}
// (Not that of a vector with other elements, which names no variables.)
template <class Elements, class Bound, std::size_t Columns>
inline constexpr bool is_vector_binding<vector_binding<Elements, Bound, Columns>> =
    detail::are_variables(expressions::long_list<Elements>{});
template <class Elements, class Bound, std::size_t Columns>
inline constexpr bool is_substitution<vector_binding<Elements, Bound, Columns>> =
    is_vector_binding<vector_binding<Elements, Bound, Columns>> &&
    (is_substitution<Bound> || expressions::array_of_expressions<decltype(Bound::value)>);

/// Whether an argument of a call holds arguments, as a map of Boost.Hana from variables to numbers does. With
/// interop/hana.hpp, which specialises this, arguments_in<Argument>::type is a list of them, and
/// arguments_in<Argument>::pass(argument, f) is f of them.
template <class Argument>
inline constexpr bool holds_arguments = false;
template <class Argument>
struct arguments_in {
    using type = core::type_list<Argument>;
};
/// Whether one of some arguments does, and all arguments that these are or hold.
template <class... Argument>
inline constexpr bool some_hold_arguments = core::any_true({holds_arguments<Argument>..., false});
template <class... Argument>
using all_arguments = typename core::joined_lists<typename arguments_in<Argument>::type...>::type;

/// Whether an argument of a call names the variables that it is for.
template <class Argument>
inline constexpr bool is_named =
    is_binding<Argument> || is_substitution<Argument> || is_vector_binding<Argument> || holds_arguments<Argument>;
/// The variables that it names.
template <class Argument>
struct names_in {
    using type = core::type_list<typename Argument::variable>;
};
template <class Elements, class Bound, std::size_t Columns>
struct names_in<vector_binding<Elements, Bound, Columns>> {
    using type = expressions::long_list<Elements>;
};

// It is neither a number nor a range, whatever operators accept it.
template <class Vector, class Bound, std::size_t Columns>
inline constexpr source source_for<vector_binding<Vector, Bound, Columns>> = source::unknown;

/// Whether some arguments are for several variables: for a vector or matrix of them, or as they hold arguments.
template <class... Argument>
inline constexpr bool some_vectors =
    core::any_true({(is_vector_binding<Argument> || holds_arguments<Argument>)..., false});

/// The variables that arguments name.
template <class... Argument>
consteval auto names_of();
template <class... Argument>
consteval auto names_of_each(core::type_list<Argument...>) {
    return names_of<Argument...>();
}
template <class... Argument>
consteval auto names_of() {
    if constexpr (some_hold_arguments<Argument...>)
        return detail::names_of_each(all_arguments<Argument...>{});
    else if constexpr (some_vectors<Argument...>)
        return typename core::joined_lists<typename names_in<Argument>::type...>::type{};
    else
        return core::type_list<typename Argument::variable...>{};
}

template <class T>
struct range_in {
    using type = T;
    static constexpr const T& of(const T& range) { return range; }
};
template <class Range>
struct range_in<range_reference<Range>> {
    using type = Range;
    static constexpr const Range& of(const range_reference<Range>& range) { return *range.range; }
};

/// An Eigen matrix that is not a vector has no iterators.
template <class P>
concept eigen_matrix = eigen_array<P> && !P::IsVectorAtCompileTime;

/// The type of the numbers in a range, or in a range of ranges, and how many there are; 0 if the type does not say.
template <class P, bool = (any_range<P> && !expression<P>)>
struct numbers_in {
    using type = P;
    enum : std::size_t { count = 1 };
};
template <class P>
struct numbers_in<P, true> {
    using inner = numbers_in<std::iter_value_t<iterator_of<P>>>;
    using type = typename inner::type;
    enum : std::size_t { count = size_known<P>(0) * std::size_t{inner::count} };
};
template <eigen_matrix P>
struct numbers_in<P, false> {
    using type = typename P::Scalar;
    enum : std::size_t { count = size_known<P>(0) };
};

/// Whether what a vector of variables is bound to is a range of numbers. (Of other types, an operand is not asked.)
template <class P>
inline constexpr bool is_range_of_numbers = [] {
    if constexpr (std::same_as<typename numbers_in<P>::type, P>)
        return false;
    else
        return is_number<typename numbers_in<P>::type>;
}();

// Copies numbers to to[at] and further, row by row, and returns their end; what is past the last place is only counted.
template <std::size_t Size, class T, class P>
constexpr std::size_t copy_numbers(std::array<T, Size>& to, std::size_t at, const P& numbers) {
    if constexpr (std::same_as<T, P>) {
        if (at < Size) to[at] = numbers;
        return at + 1;
    } else if constexpr (eigen_matrix<P>) {
        for (auto i = 0 * numbers.rows(); i < numbers.rows(); ++i) at = copy_numbers(to, at, numbers.row(i));
        return at;
    } else {
        for (auto i = ranges::first_of(numbers); i != ranges::last_of(numbers); ++i)
            at = copy_numbers<Size, T, std::iter_value_t<iterator_of<P>>>(to, at, *i);
        return at;
    }
}

/// Whether a range has numbers of that type, which can be read in any order.
template <class T, class P>
inline constexpr bool is_list_of = [] {
    if constexpr (any_range<P> && !eigen_matrix<P>)
        return std::same_as<T, std::iter_value_t<iterator_of<P>>> && std::random_access_iterator<iterator_of<P>>;
    else
        return false;
}();

/// For what the numbers are.
enum class numbers_for : unsigned char { parameters, call };

/// Checks, as far as the type allows, that a range has one number for each of `Size` variables.
template <numbers_for Use, std::size_t Size, class P>
consteval bool right_elements() {
    using all = numbers_in<P>;
    constexpr bool numbers = is_range_of_numbers<P>;
    constexpr bool right = !numbers || std::size_t{all::count} == 0 || std::size_t{all::count} == Size;
    if constexpr (Use == numbers_for::parameters) {
        static_assert(numbers, "given, set: a vector of parameters is not given a range of numbers; give it one number "
                               "for each, as in given(a = std::array{0.5, 2.0})");
        static_assert(right,
                      "given, set: a vector of parameters is given more or fewer numbers than it has; give it one for "
                      "each");
    } else {
        static_assert(numbers, "f(...): a vector of variables is not given a range of numbers; give it one number for "
                               "each, as in f(v = std::array{0.5, 2.0})");
        static_assert(right,
                      "f(...): a vector of variables is given more or fewer numbers than it has; give it one for each");
    }
    return numbers && right;
}
template <numbers_for Use>
[[noreturn, gnu::cold, gnu::noinline]] CHAINRULE_HOST_DEVICE inline void refuse_elements() {
    core::raise_as<wrong_size>(
        Use == numbers_for::parameters
            ? "given, set: a vector of parameters is given more or fewer numbers than it has; give it one for each"
            : "f(...): a vector of variables is given more or fewer numbers than it has; give it one for each");
}
template <numbers_for Use>
[[noreturn, gnu::cold, gnu::noinline]] CHAINRULE_HOST_DEVICE inline void refuse_rows() {
    core::raise_as<wrong_size>(
        Use == numbers_for::parameters
            ? "given, set: the numbers for a matrix of parameters have rows of another length; "
              "give rows as long as its own"
            : "f(...): the numbers for a matrix of variables have rows of another length; give rows "
              "as long as its own");
}

/// Checks that each row for a matrix is as long as its rows. Numbers without rows are its rows in turn.
template <numbers_for Use, std::size_t Columns, std::size_t Size, class T, class P>
constexpr void check_rows(std::array<T, Size>& numbers, const P& rows) {
    if constexpr (eigen_matrix<P>) {
        if (static_cast<std::size_t>(rows.cols()) != Columns) refuse_rows<Use>();
    } else if constexpr (!std::same_as<std::iter_value_t<iterator_of<P>>, T>) {
        for (auto i = ranges::first_of(rows); i != ranges::last_of(rows); ++i)
            if (copy_numbers(numbers, Size, *i) != Size + Columns) refuse_rows<Use>();
    }
}

/// A copy of the numbers that v = range binds to `Size` variables, a matrix with so many columns or a vector.
template <numbers_for Use, std::size_t Size, std::size_t Columns, class Bound>
CHAINRULE_STEP constexpr auto elements_of(const Bound& bound) {
    using range_type = typename range_in<Bound>::type;
    using number = typename numbers_in<range_type>::type;
    const auto& range = range_in<Bound>::of(bound);
    if constexpr (Columns == 0 && Size <= 64 && is_list_of<number, range_type>) {
        // Not one by one: what then reads two at once would wait for both.
        const auto first = ranges::first_of(range);
        if (ranges::last_of(range) - first != static_cast<std::ptrdiff_t>(Size)) refuse_elements<Use>();
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<number, Size>{first[static_cast<std::ptrdiff_t>(I)]...};
        }(std::make_index_sequence<Size>{});
    } else {
        std::array<number, Size> copy{};
        if (copy_numbers(copy, 0, range) != Size) refuse_elements<Use>();
        if constexpr (Columns > 0) check_rows<Use, Columns>(copy, range);
        return copy;
    }
}

/// Checks that no variable is given two values.
template <class... Variable>
consteval bool one_value_each(core::type_list<Variable...>) {
    constexpr int first = expressions::first_repeated(core::type_list<Variable...>{});
    constexpr bool once = first < 0;
    if constexpr (!once)
        report(
            given_twice<graph::the_variable_of<typename core::type_at<first, core::type_list<Variable...>>::type>>{});
    return once;
}

/// Values of single variables.
template <class Binding>
struct single_value {
    Binding value;
};
template <class... Binding>
struct single_values : single_value<Binding>... {};

[[nodiscard]] constexpr single_values<> in_single_values() { return {}; }
template <class First, class... Rest>
[[nodiscard]] CHAINRULE_STEP constexpr auto in_single_values(const First& first, const Rest&... rest);

/// The values of single variables that an argument of a call is for.
template <class Argument>
CHAINRULE_STEP constexpr auto singles_in(const Argument& argument) {
    if constexpr (holds_arguments<Argument>)
        return arguments_in<Argument>::pass(argument,
                                            [](const auto&... each) { return detail::in_single_values(each...); });
    else
        return single_values<Argument>{{argument}};
}
template <class Number, std::size_t Size, class... V>
CHAINRULE_STEP constexpr auto singles_of(const std::array<Number, Size>& numbers, core::type_list<V...>) {
    std::size_t i = 0;
    return single_values<binding<V, Number>...>{single_value<binding<V, Number>>{{numbers[i++]}}...};
}
template <class Elements, class Bound, std::size_t Columns>
CHAINRULE_STEP constexpr auto singles_in(const vector_binding<Elements, binding<void, Bound>, Columns>& argument) {
    using list = expressions::long_list<Elements>;
    constexpr std::size_t size{list::size};
    if constexpr (right_elements<numbers_for::call, size, typename range_in<Bound>::type>())
        return singles_of(elements_of<numbers_for::call, size, Columns>(argument.bound.value), list{});
    else
        return singles_of(std::array<double, size>{}, list{}); // adds no errors
}
template <class... V, std::size_t... I, class... G>
constexpr auto singles_of(const expressions::elements<std::index_sequence<I...>, core::type_list<G...>>& g,
                          core::type_list<V...>) {
    return single_values<substitution<V, G>...>{{{expressions::element_at<I>(g)}}...};
}
template <class Elements, expressions::array_of_expressions G, std::size_t Columns>
constexpr auto singles_in(const vector_binding<Elements, binding<void, G>, Columns>& argument) {
    return singles_of(argument.bound.value, expressions::long_list<Elements>{});
}
template <class... A, class... B, class... New>
constexpr auto joined_singles(const single_values<A...>& a, const single_values<B...>& b, core::type_list<New...>) {
    (void)std::bool_constant<one_value_each(core::type_list<typename A::variable..., typename B::variable...>{})>{};
    return single_values<A..., New...>{static_cast<const single_value<A>&>(a)...,
                                       static_cast<const single_value<New>&>(b)...};
}
template <class... A, class... B>
constexpr auto joined_singles(const single_values<A...>& a, const single_values<B...>& b) {
    using known = core::type_list<typename A::variable...>;
    return joined_singles(
        a, b,
        typename core::joined_lists<std::conditional_t<(expressions::position_in<typename B::variable>(known{}) < 0),
                                                       core::type_list<B>, core::type_list<>>...>::type{});
}
/// The arguments of a call, where each that is for several variables is replaced by one for each.
template <class First, class... Rest>
[[nodiscard]] CHAINRULE_STEP constexpr auto in_single_values(const First& first, const Rest&... rest) {
    return joined_singles(singles_in(first), in_single_values(rest...));
}

template <class F, class... Binding>
[[gnu::always_inline]] constexpr auto call_with(const F& f, const single_values<Binding...>& all) {
    return f(static_cast<const single_value<Binding>&>(all).value...);
}

} // namespace chainrule::detail
