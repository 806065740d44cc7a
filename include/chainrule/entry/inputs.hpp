// SPDX-License-Identifier: BSL-1.0
//
// The inputs of a kernel: a point in the caller's memory, parameters (entry/parameters.hpp), and a direction or
// weights; and the checks of what a call gives. entry/positional_function.hpp combines them.
#pragma once

#include <chainrule/entry/evaluate.hpp>
#include <chainrule/entry/parameters.hpp>
#include <chainrule/entry/parts_of_point.hpp>

namespace chainrule {

namespace detail {

// F(x = 2.0): the check of the call rejects values that are not numbers.
template <class V, class U>
struct argument_number<binding<V, U>, source::unknown> {
    using type = std::conditional_t<expressions::storable<U> || expression<U>, U, double>;
};
template <char... Name>
struct argument_number<bound_double<Name...>, source::unknown> {
    using type = double;
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
template <class P>
requires(holds_arguments<P>)
struct argument_number<P, source::unknown> {
    template <class... Argument>
    static auto of(core::type_list<Argument...>) {
        return std::type_identity<kernel::common_number<typename argument_number<Argument>::type...>>{};
    }
    using type = typename decltype(of(typename arguments_in<P>::type{}))::type;
};

/// The ways in which a call gives a point: F(y = 5.0, x = 2.0), F(range), F(2.0, 5.0), F(range, 5.0).
enum class point_form : unsigned char { by_name, as_range, as_numbers, in_parts, invalid };

/// Whether an argument is a number or a range, or was reported already.
template <class P>
consteval bool readable_part() {
    if constexpr (source_for<P> < source::pointer || source_for<P> == source::symbolic)
        return true;
    else
        return right_numbers<role::point, 1, P>();
}

/// The way in which arguments give a point of that many variables; each invalid way has its message.
template <std::size_t Size, class... Point>
consteval point_form form_of_point() {
    constexpr bool numbers = core::all_true({source_for<Point> == source::number..., true});
    if constexpr (sizeof...(Point) > 0 && core::all_true({is_named<Point>..., true})) {
        return point_form::by_name;
    } else if constexpr (sizeof...(Point) == 1 && !numbers) {
        return point_form::as_range;
    } else if constexpr (core::any_true({(is_binding<Point> || some_vectors<Point>)..., false})) {
        constexpr bool all_named = sizeof...(Point) == 0;
        static_assert(all_named, "function: some arguments name their variables and some do not; name all of them, "
                                 "as in F(x = 2.0, y = 5.0), or none");
        return point_form::invalid;
    } else if constexpr (!numbers && core::all_true({source_for<Point> < source::pointer..., true})) {
        return point_form::in_parts;
    } else if constexpr (!core::all_true({readable_part<Point>()..., true})) {
        return point_form::invalid;
    } else {
        constexpr bool symbolic = core::any_true({source_for<Point> == source::symbolic..., false}); // reported already
        constexpr bool right_count = numbers && sizeof...(Point) == Size;
        static_assert(right_count || symbolic,
                      "function: the point does not have one number per variable in wrt(...); pass that many, "
                      "or a std::array or std::span of them");
        return right_count ? point_form::as_numbers : point_form::invalid;
    }
}

/// What is wrong with the names of a point. Expressions and Variables are lists, or short names of lists.
template <std::size_t Size, class Expressions, class Variables, class... Point>
consteval auto find_fault_of_point() {
    if constexpr (form_of_point<Size, Point...>() == point_form::by_name)
        return fault_of_call<Expressions, Variables, Point...>{};
    else
        return no_fault{};
}
template <std::size_t Size, class Expressions, class Variables, class... Point>
using fault_of_point = decltype(detail::find_fault_of_point<Size, Expressions, Variables, Point...>());

/// How many expressions an argument is: the elements of a vector, or one.
template <class G>
inline constexpr std::size_t expressions_in = 1;
template <expressions::array_of_expressions G>
inline constexpr std::size_t expressions_in<G>{G::count};

/// Checks that there is an expression or number for each variable, among them vectors in the place of several.
template <class Variables, class... G>
consteval bool fit_variables() {
    constexpr std::size_t sizes[] = {expressions::array_of_expressions<G> ? expressions_in<G> : 0 ...};
    constexpr bool right_count = detail::fitted_sizes(sizes, expressions::long_list<Variables>{}).fit;
    static_assert(right_count,
                  "function: there is not one expression for each variable in wrt(...); give that many, or "
                  "one vector of that many");
    constexpr bool operands =
        core::all_true({(expressions::is_operand<G>() || expressions::array_of_expressions<G>)..., true});
    static_assert(operands || !right_count,
                  "function: an argument beside expressions is neither an expression nor a number; pass one "
                  "for each variable, or one vector of expressions");
    return right_count && operands;
}

template <std::size_t K, class G>
struct argument_at {
    const G& argument;
};
template <class Places, class... G>
struct arguments_by_place;
template <std::size_t... K, class... G>
struct arguments_by_place<std::index_sequence<K...>, G...> : argument_at<K, G>... {};
template <std::size_t K, std::size_t Element, class G>
constexpr auto element_of_argument(const argument_at<K, G>& at) {
    if constexpr (expressions::array_of_expressions<G>)
        return expressions::element_at<Element>(at.argument);
    else
        return at.argument;
}
struct place_of_element {
    std::size_t argument, element;
};
template <std::size_t Count, std::size_t Arguments>
consteval auto places_of_elements(const std::size_t (&sizes)[Arguments]) {
    std::array<place_of_element, Count> places{};
    std::size_t at = 0;
    for (std::size_t k = 0; k < Arguments; ++k)
        for (std::size_t i = 0; i < sizes[k]; ++i) places[at++] = {k, i};
    return places;
}
/// Calls f with `Count` arguments: these, and the elements of vectors in the place of vectors.
template <std::size_t Count, class F, class... G>
constexpr auto with_elements(const F& f, const G&... g) {
    constexpr std::size_t sizes[] = {expressions_in<G>...};
    constexpr auto places = detail::places_of_elements<Count>(sizes);
    const arguments_by_place<std::index_sequence_for<G...>, G...> all{{g}...};
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return f(detail::element_of_argument<places[I].argument, places[I].element>(all)...);
    }(std::make_index_sequence<Count>{});
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
    /// Where so many inputs from i on lie, if in order.
    CHAINRULE_STEP constexpr simd::stretch<const T> in_order(std::size_t i, std::size_t count) const
    requires std::same_as<T, Element>
    {
        if (i < static_cast<std::size_t>(Size)) return {point + i, i + count <= static_cast<std::size_t>(Size)};
        return bound.in_order(i - static_cast<std::size_t>(Size), count);
    }
    CHAINRULE_STEP constexpr void refresh() {
        kernel::forget(point);
        bound.refresh();
    }
};

// A number of type T where it is, or a conversion to T.
template <class T, class N>
CHAINRULE_STEP constexpr T converted_number(const N& number) {
    if constexpr (std::same_as<T, N>)
        return {};
    else
        return static_cast<T>(number);
}
template <class T, class N>
CHAINRULE_STEP constexpr const T* number_in_place(const N& number, const T& converted) {
    if constexpr (std::same_as<T, N>)
        return &number;
    else
        return &converted;
}
// The inputs of a program whose numbers stay where they are, then the parameters.
template <class T, std::size_t Size, class Bound>
struct numbers_and_parameters {
    const T* numbers[Size];
    Bound bound;
    CHAINRULE_STEP constexpr T operator[](std::size_t i) const { return i < Size ? *numbers[i] : bound[i - Size]; }
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
    CHAINRULE_STEP constexpr simd::stretch<const Element> in_order(std::size_t i, std::size_t count) const
    requires requires { inputs.in_order(i, count); }
    {
        if (i >= static_cast<std::size_t>(Size)) return {further + (i - static_cast<std::size_t>(Size))};
        const auto first = inputs.in_order(i, count);
        return {first.first, first.is_in_order && i + count <= static_cast<std::size_t>(Size)};
    }
    CHAINRULE_STEP constexpr void refresh() {
        inputs.refresh();
        kernel::forget(further);
    }
};

/// What is wrong with the program of a function: its size, or a variable that is neither an argument nor a parameter.
/// (Without arguments: a message would write out their values.)
template <unsigned Request, int Wrt, class Inputs, class Expressions>
consteval auto find_fault_of_program() {
    if constexpr (!expressions::each_once(Inputs{})) {
        return reported_already{}; // by function()
    } else if constexpr (!codegen::is_small<Request, Wrt, Inputs, Expressions>) {
        return codegen::too_many_operations<codegen::are_traced<Expressions>>{};
    } else {
        constexpr bool all =
            codegen::compiled<Request, Wrt, Inputs, Expressions>::code().variable_count == int{Inputs::size};
        if constexpr (all)
            return no_fault{};
        else
            return []<class... E>(core::type_list<E...>) {
                return not_bound<first_without_value<typename graph::variables_of<E...>::type, Inputs>>{};
            }(Expressions{});
    }
}
template <unsigned Request, int Wrt, class Inputs, class Expressions>
using fault_of_program = decltype(detail::find_fault_of_program<Request, Wrt, Inputs, Expressions>());
/// Checks a point and another range of numbers.
template <role Role, std::size_t Columns, std::size_t Size, class Point, class Further>
consteval bool right_ranges() {
    if constexpr (right_numbers<role::point, Columns, Point>())
        return right_numbers<Role, Size, Further>();
    else
        return false;
}
/// Checks that every variable of f is an argument or a parameter of function().
template <unsigned Request, int Wrt, class Inputs, class Expressions>
consteval bool all_bound() {
    return without_fault<fault_of_program<Request, Wrt, Inputs, Expressions>>();
}

} // namespace detail

} // namespace chainrule
