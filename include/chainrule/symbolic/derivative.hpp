// SPDX-License-Identifier: BSL-1.0
//
// derivative(f, x): an expression, which can be printed, compared and differentiated again.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/expression/stored_numbers.hpp>
#include <chainrule/expression/vector.hpp>
#include <chainrule/symbolic/raise.hpp>

namespace chainrule {

namespace detail {

// The stored numbers of the expression described by Rows, in the order in which they are written.
template <class Rows, int Count>
[[nodiscard]] constexpr std::array<int, static_cast<std::size_t>(Count)> stored_numbers_of_rows() {
    std::array<int, static_cast<std::size_t>(Count)> numbers{};
    list<bool> has_stored(Rows::last + 1);
    for (int i = 0; i <= Rows::last; ++i) {
        const expression_row r = Rows::at(i);
        if (r.what == kind::stored_number) {
            has_stored.items[i] = true;
        } else if (r.what != kind::constant && r.what != kind::variable) {
            for (const int operand : {r.a, r.b, r.c})
                if (operand >= 0 && has_stored.items[operand]) has_stored.items[i] = true;
        }
    }
    std::size_t next = 0;
    list<int> left;
    left.push_back(Rows::last);
    while (!left.empty()) {
        const expression_row r = Rows::at(left.pop_back());
        if (r.what == kind::stored_number) {
            numbers[next++] = r.a;
            continue;
        }
        for (const int operand : {r.c, r.b, r.a})
            if (operand >= 0 && has_stored.items[operand]) left.push_back(operand);
    }
    return numbers;
}
template <class Rows, int Count>
inline constexpr auto stored_numbers = stored_numbers_of_rows<Rows, Count>();
template <class Rows, int Count, class Numbers>
[[nodiscard]] constexpr auto numbers_of_rows(const Numbers& numbers) {
    std::array<std::remove_cvref_t<decltype(numbers[0])>, static_cast<std::size_t>(Count)> result{};
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = numbers[static_cast<std::size_t>(stored_numbers<Rows, Count>[i])];
    return result;
}

// Even if they repeat, a derivative may have so many stored numbers.
inline constexpr int most_numbers = 5500;

// The expression described by Rows, with the variables and stored numbers of f.
template <class Rows, class E>
constexpr auto expression_of_rows(const E& f) {
    using number = typename kernel::computation<type_list<E>>::type;
    using result = raised_last<Rows, typename variables_of<E>::type, number>;
    constexpr int count = result::type::numbers;
    if constexpr (count == 0)
        return typename result::type{};
    else if constexpr (count > most_numbers && expressions::numbers_repeat<typename result::type, 0>())
        return expressions::refused_as_repetition<(count == 0)>();
    else if constexpr (expressions::castable_number<number>)
        return expressions::with_numbers<typename result::type>(
            numbers_of_rows<Rows, count>(kernel::numbers_of_expression<number>(f)));
    else
        return result::make(kernel::numbers_of_expression<number>(f));
}

template <class... V>
consteval bool by_variables() {
    constexpr bool some = sizeof...(V) > 0;
    static_assert(some, "derivative: no variable is given; name it, as in derivative(f, x)");
    constexpr bool variables = core::all_true({expressions::variable_node<expressions::named_by<V>>..., true});
    static_assert(variables, "derivative: the second argument is not a variable; pass one, as in derivative(f, x) with "
                             "x = variable<\"x\">");
    return some && variables;
}
template <int Order, class... V>
consteval bool by_one_variable() {
    constexpr bool not_negative = Order >= 0, single = sizeof...(V) <= 1;
    static_assert(not_negative, "derivative<n>: the order is negative; pass 0 or more");
    static_assert(single, "derivative<n>: there are several variables; name each as often as the derivative is with "
                          "respect to it, as in derivative(f, x, x, y)");
    return not_negative && single && by_variables<V...>();
}

// The derivative of f with respect to the variables V..., in this order.
template <class E, class... V>
constexpr auto derive_expression(const E& f, type_list<V...>) {
    constexpr bool small = !derivation_of<E, V...>::too_large;
    static_assert(small, "derivative: the expression, or its derivative, has too many operations for a type; use the "
                         "derivatives of a function, as in function(f, wrt(x)).gradient(2.0), or trace a function, or "
                         "define CHAINRULE_MAX_OPERATIONS greater than 3200");
    if constexpr (small)
        return expression_of_rows<derived_rows<E, V...>>(f);
    else
        return expressions::exact_zero{}; // so that its uses add no errors
}

template <class V, std::size_t... I>
auto repeat(std::index_sequence<I...>) -> type_list<std::enable_if_t<(I < sizeof...(I)), V>...>;

} // namespace detail

/// The derivative of f with respect to a variable, as an expression; for several variables, the mixed derivative. It is
/// 0 for a variable that does not occur in f. Of a vector or matrix, the vector or matrix of the derivatives of its
/// elements. A string of Boost.Hana is the variable of that name.
/// Example: `to_string(derivative(log(x) + x * y - sin(y), x)) == "1 / x + y"`.
template <class E, class... V>
requires(expression<E> || expressions::array_of_expressions<E>)
[[nodiscard]] constexpr auto derivative(const E& f, V... by) {
    if constexpr (!detail::by_variables<V...>())
        return expressions::exact_zero{};
    else if constexpr (expression<E>)
        return detail::derive_expression(f, core::type_list<expressions::named_by<V>...>{});
    else
        return expressions::array_like<E>(
            [&](auto i) { return derivative(expressions::element_at<i.value>(f), by...); });
}

/// The derivative of order `Order` with respect to one variable.
template <int Order, class E, class... V>
requires(expression<E> || expressions::array_of_expressions<E>)
[[nodiscard]] constexpr auto derivative(const E& f, V... by) {
    if constexpr (!detail::by_one_variable<Order, V...>())
        return expressions::exact_zero{};
    else if constexpr (!expression<E>)
        return expressions::array_like<E>(
            [&](auto i) { return derivative<Order>(expressions::element_at<i.value>(f), by...); });
    else if constexpr (Order == 0)
        return f;
    else
        return detail::derive_expression(f, decltype(detail::repeat<expressions::named_by<V>...>(
                                                std::make_index_sequence<static_cast<std::size_t>(Order)>{})){});
}

/// The same, with the order as a constant: derivative(f, x, 2_c), derivative(f, x, boost::hana::int_c<2>).
template <class E, class V, expressions::constant_order Order>
requires(expression<E> || expressions::array_of_expressions<E>)
[[nodiscard]] constexpr auto derivative(const E& f, V by, Order) {
    return derivative<expressions::constant_index<Order>()>(f, by);
}

/// Whether two expressions have the same structure, that is, the same type. The values of stored numbers are ignored.
template <expression A, expression B>
[[nodiscard]] consteval bool same(const A&, const B&) {
    return std::same_as<A, B>;
}

} // namespace chainrule

#include <chainrule/core/names_end.inc>
