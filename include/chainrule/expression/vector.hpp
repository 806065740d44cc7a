// SPDX-License-Identifier: BSL-1.0
//
// vector(f1, f2), variables<"q", 12> and wrt(x, y): several expressions at once, and the variables to differentiate
// with respect to.
#pragma once

#include <chainrule/expression/arrays.hpp>
#include <chainrule/expression/variable_names.hpp>

namespace chainrule {

namespace expressions {

template <class T>
inline constexpr bool variable_node = false;
template <expression T>
inline constexpr bool variable_node<T> = int{T::is_variable} != 0;

/// The position of a variable in a list, or -1.
template <class V, class List>
consteval int position_in(List list) {
    if constexpr (variable_node<V>)
        return names_of(list).find({V::hash, V::text});
    else
        return -1;
}

/// The values of all elements, for values of their variables by name: entry/evaluate.hpp, matrices/matrix.hpp.
template <class Elements, class... Arguments>
constexpr auto evaluate_vector(const members_of_vector<Elements>& f, Arguments... arguments);
template <std::size_t Columns, class Elements, class... Arguments>
constexpr auto evaluate_matrix(const members_of_matrix<Columns, Elements>& f, Arguments... arguments);

} // namespace expressions

/// What a vector or matrix of variables is bound to, as in over(x = rows) or given(a = numbers): the list of its
/// elements under a short name, the binding that one variable would have, and the length of a matrix's rows.
template <class Elements, class Binding, std::size_t Columns = 0>
struct vector_binding {
    Binding bound;
};

namespace expressions {

/// v = range, of a vector of variables, a matrix of them, or the list of their elements.
template <class Elements, std::size_t Columns>
struct bound_to_ranges {
    /// Binds a range to the variables, one number to each, or of each row: given(a = numbers), over(x = rows).
    template <class T>
    [[nodiscard]] constexpr auto operator=(const T& range) const {
        return as_binding(bound_to<void, false>(range));
    }
    template <class T>
    [[nodiscard]] constexpr auto operator=(const T&& range) const {
        return as_binding(bound_to<void, true>(range));
    }
    /// The same of numbers in braces: given(a = {1.0, 2.0}), given(m = {{1.0, 2.0}, {3.0, 4.0}}). Where their types
    /// differ, they are doubles.
    template <class T, std::size_t Size>
    [[nodiscard]] constexpr auto operator=(const T (&&numbers)[Size]) const {
        return as_binding(bound_to<void, true>(listed(numbers)));
    }
    template <std::size_t Size>
    [[nodiscard]] constexpr auto operator=(const double (&&numbers)[Size]) const {
        return as_binding(bound_to<void, true>(listed(numbers)));
    }
    template <std::size_t Rows, std::size_t Size>
    [[nodiscard]] constexpr auto operator=(const double (&&numbers)[Rows][Size]) const {
        return as_binding(bound_to<void, true>(listed(numbers)));
    }

private:
    template <class Binding>
    static constexpr auto as_binding(const Binding& bound) {
        return vector_binding<Elements, Binding, Columns>{bound};
    }
};

// In place of an element that a message says is not there: a number, so that what uses it adds no errors.
// Argument-dependent lookup finds sin and others by the template argument.
template <class = binding<void, double>>
struct no_element {
    constexpr no_element(double = 0) {}
    constexpr operator double() const { return 0; }
    template <class Index>
    constexpr no_element operator[](Index) const {
        return {};
    }
};

template <class List>
using elements_in_order = elements<std::make_index_sequence<std::size_t{List::size}>, List>;

// A class of its own, named by the short name of the list: compilers write out the class of a member, and what a
// function deduces, in each message on the way to an error.
template <class Elements>
struct members_of_vector : elements_in_order<long_list<Elements>>, array_operators, bound_to_ranges<Elements, 0> {
    using chainrule_expression = several; // not one expression
    using list = long_list<Elements>;
    enum : std::size_t { columns = 0, count = std::size_t{list::size} };

    template <std::size_t I>
    [[nodiscard, gnu::always_inline]] constexpr auto get() const {
        constexpr bool there = I < std::size_t{count};
        static_assert(there, "vector: the index in v[...] or v.get<i>() is past the last element; indices start at 0");
        return element_at<there ? I : 0>(*this); // after a message: what uses the element adds no errors
    }
    /// v[0_c]: the index is a constant, since each element has its own type.
    template <class Index>
    [[nodiscard, gnu::always_inline]] constexpr auto operator[](Index) const {
        constexpr int i = constant_index<Index>();
        static_assert(i >= 0,
                      "vector: the index in v[...] is not a non-negative exact constant; write v[0_c] for the first "
                      "element");
        if constexpr (i >= 0)
            return get<std::size_t{i < 0 ? 0 : i}>();
        else
            return no_element<>{};
    }
    using bound_to_ranges<Elements, 0>::operator=;
    /// The values of all elements for variables given by name, as a std::array, computed by one program.
    template <class... U>
    [[nodiscard, gnu::always_inline]] constexpr auto operator()(U... given) const {
        return evaluate_vector(*this, given...);
    }
};

} // namespace expressions

template <class Lookup>
inline constexpr bool functions::has_functions_of_table<expressions::no_element<Lookup>> = true;

/// A vector of expressions. All its elements share one program. v[0_c] and v.get<0>() are elements, auto [a, b] = v
/// names them, and v(x = 2.0) computes their values.
template <class... E>
struct expression_vector : expressions::members_of_vector<expressions::short_list<core::type_list<E...>>> {
    using expressions::members_of_vector<expressions::short_list<core::type_list<E...>>>::operator=;
};

/// The vector of more than four expressions, under a short name.
template <int Size, core::hash_value Hash>
struct long_vector : expressions::array_with<0, expressions::long_list<abbreviated_list<Size, Hash>>> {
    using expressions::members_of_vector<abbreviated_list<Size, Hash>>::operator=;
};

namespace detail {

template <class T>
struct number_formulas; // matrices/fixed_numbers.hpp

// The vector of numbers, some or all from traced code.
template <class... E>
CHAINRULE_PER_NODE auto vector_of_traced(const E&... f) {
    using number =
        typename core::type_at<core::first_true({expressions::is_traced<E>...}), core::type_list<E...>>::type;
    constexpr bool known = requires { sizeof(number_formulas<number>); };
    static_assert(known, "vector: in traced code it is a fixed_vector; include <chainrule/fixed_matrix.hpp>, or write "
                         "std::array{x, y}");
    if constexpr (known)
        return number_formulas<number>::template array<0>(f...);
    else
        return std::array<number, sizeof...(E)>{};
}

} // namespace detail

/// The vector of the given expressions, constants or numbers. In traced code, the fixed_vector of its numbers.
template <class... E>
requires(sizeof...(E) > 0)
CHAINRULE_PER_NODE auto vector(const E&... f) {
    if constexpr (core::any_true({expressions::is_traced<E>...})) {
        return detail::vector_of_traced(f...);
    } else {
        constexpr bool elements = core::all_true({expressions::is_operand<E>()...});
        static_assert(elements,
                      "vector: an element is neither an expression nor a number; name elements of other vectors one "
                      "by one, as in vector(v[0_c], x), and pass the rows of a matrix to matrix(...)");
        if constexpr (elements)
            return expressions::array_of<0>(expressions::as_operand(f)...);
        else
            return expressions::array_of<0>((static_cast<void>(f), expressions::exact_zero{})...);
    }
}

namespace expressions {

[[nodiscard]] constexpr std::size_t digits_of(std::size_t number) {
    return number < 10 ? 1 : 1 + digits_of(number / 10);
}
[[nodiscard]] constexpr char digit_of(std::size_t number, std::size_t from_the_right) {
    for (; from_the_right > 0; --from_the_right) number /= 10;
    return static_cast<char>('0' + number % 10);
}

// The name is Name[Number], which no other variable has by accident.
template <string_literal Name, std::size_t Number, std::size_t... I, std::size_t... Digit>
consteval auto numbered_variable(std::index_sequence<I...>, std::index_sequence<Digit...>) {
    return typename symbol<boost::hana::string<Name.characters[I]..., '[',
                                               digit_of(Number, sizeof...(Digit) - 1 - Digit)..., ']'>>::node{};
}
template <string_literal Name, std::size_t... K>
consteval auto numbered_variables(std::index_sequence<K...>) {
    static_assert(sizeof...(K) > 0,
                  "variables: the count is 0; request at least one variable, as in variables<\"q\", 12>");
    return array_of<0>(numbered_variable<Name, K>(std::make_index_sequence<sizeof(Name.characters) - 1>{},
                                                  std::make_index_sequence<digits_of(K)>{})...);
}

// The variables denoted by an argument of wrt().
template <class V>
struct variables_listed {
    using type = type_list<named_by<V>>;
};
template <array_of_expressions V>
struct variables_listed<V> {
    using type = typename V::list;
};
template <class... V>
struct variables_listed<type_list<V...>> {
    using type = type_list<V...>;
};
template <class... V>
struct variables_listed<boost::hana::tuple<V...>> {
    using type = type_list<named_by<V>...>;
};

enum class variables_fault { none, not_a_variable, repeated };
template <class... V>
consteval variables_fault fault_of_variables(type_list<V...> list) {
    if constexpr (!all_true({variable_node<V>..., true}))
        return variables_fault::not_a_variable;
    else
        return each_once(list) ? variables_fault::none : variables_fault::repeated;
}
template <variables_fault Fault>
consteval bool right_variables() {
    constexpr bool variables = Fault != variables_fault::not_a_variable, once = Fault != variables_fault::repeated;
    static_assert(variables, "wrt: an argument is not a variable; pass variables only, as in wrt(x, y)");
    static_assert(once, "wrt: a variable is listed twice; list each variable once");
    return variables;
}

} // namespace expressions

/// The vector of the variables named Name[0], Name[1] and so on, up to Name[Count - 1].
/// Example: `constexpr auto q = variables<"q", 12>; auto f = function(dot(q, q), wrt(q));`
template <expressions::string_literal Name, std::size_t Count>
inline constexpr auto variables = expressions::numbered_variables<Name>(std::make_index_sequence<Count>{});

/// The variables of differentiation, in the order of the results: variables, and vectors of variables. Any function
/// that accepts this list also accepts one or several variables, or a boost::hana::tuple of variables. A string of
/// Boost.Hana is the variable of that name.
template <class... V>
[[nodiscard]] constexpr auto wrt(V...) {
    using list = typename core::joined_lists<typename expressions::variables_listed<V>::type...>::type;
    if constexpr (expressions::right_variables<expressions::fault_of_variables(list{})>())
        return list{};
    else
        return core::type_list<>{}; // code that takes it for a list of variables would add errors
}

namespace expressions {

/// The variables of a list, or of variables and lists passed directly, as in gradient(f, x, y).
template <class... List>
using list_of = decltype(wrt(std::declval<List>()...));
template <class... List>
using short_list_of = short_list<list_of<List...>>;

} // namespace expressions
} // namespace chainrule

// Structured bindings: auto [a, b] = vector(x, y).
template <class... E>
struct std::tuple_size<chainrule::expression_vector<E...>> : std::integral_constant<std::size_t, sizeof...(E)> {};
template <std::size_t I, class... E>
struct std::tuple_element<I, chainrule::expression_vector<E...>> {
    using type = decltype(std::declval<chainrule::expression_vector<E...>>().template get<I>());
};
template <int Size, chainrule::core::hash_value Hash>
struct std::tuple_size<chainrule::long_vector<Size, Hash>> : std::integral_constant<std::size_t, std::size_t{Size}> {};
template <std::size_t I, int Size, chainrule::core::hash_value Hash>
struct std::tuple_element<I, chainrule::long_vector<Size, Hash>> {
    using type = decltype(std::declval<chainrule::long_vector<Size, Hash>>().template get<I>());
};
