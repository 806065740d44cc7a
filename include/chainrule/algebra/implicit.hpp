// SPDX-License-Identifier: BSL-1.0
//
// The derivative with respect to x of the y that an equation g(x, y) = 0 defines, by the implicit function theorem: an
// expression in x and y. newton() in algebra/newton.hpp computes the value of y.
#pragma once

#include <chainrule/algebra/simplify.hpp>
#include <chainrule/matrices/inverse.hpp>
#include <chainrule/entry/positional_function.hpp>

namespace chainrule {

namespace detail {

// A variable, or a list of variables, as a list.
template <class T, bool = variable_node<T>>
struct listed {
    using type = type_list<T>;
};
template <class T>
struct listed<T, false> {
    using type = list_of<T>;
};

template <class... V, class E>
constexpr auto gradient_vector(type_list<V...>, const E& f) {
    return array_of<0>(derive_expression(f, type_list<V>{})...);
}
template <std::size_t... I, class List, class V>
constexpr auto jacobian_matrix(std::index_sequence<I...>, List list, const V& f) {
    return matrix(gradient_vector(list, element_at<I>(f))...);
}
template <class A, class B>
constexpr auto simplified_quotient(const A& above, const B& below) {
    const auto quotient = -(above / below);
    if constexpr (is_cheap_to_simplify<std::remove_cv_t<decltype(quotient)>>)
        return simplify(quotient);
    else
        return quotient;
}
template <std::size_t... I, class V>
constexpr auto simplified_quotients(std::index_sequence<I...>, const V& above, const auto& below) {
    return array_of<0>(simplified_quotient(element_at<I>(above), below)...);
}

// A function, which may be traced, in place of its expression.
template <class F>
concept has_expression = is_positional_function<F>; // without making the expression

template <class By>
consteval bool depends() {
    constexpr bool found = !(int{By::arity} == 0 && hash_value{By::hash} == zero_hash);
    static_assert(found,
                  "implicit_derivative: g does not depend on the unknown, so g = 0 does not define it; check which "
                  "variable is the unknown");
    return found;
}

} // namespace detail

/// The derivative dy/dx of the y that g(x, y) = 0 defines, an expression in x and y: -(dg/dx) / (dg/dy). If x is a list
/// of variables, the vector of the derivatives with respect to each. For a vector g with one expression per unknown, up
/// to 4 unknowns, the solution of J_y dy/dx = -J_x: a vector for one x, a matrix with one column per variable for a
/// list. Example: `to_string(implicit_derivative(x * x + y * y - 1_c, y, x)) == "-(x / y)"`
template <class G, class Y, class X>
[[nodiscard]] constexpr auto implicit_derivative(const G& g, Y, X) {
    using unknowns = typename detail::listed<Y>::type;
    using by = typename detail::listed<X>::type;
    if constexpr (expressions::array_kind_of<G> == expressions::array_kind::scalar) {
        constexpr bool one = unknowns::size == 1;
        static_assert(one, "implicit_derivative: there is one equation for several unknowns; pass a vector with one "
                           "expression per unknown");
        if constexpr (one) {
            const auto by_y = detail::derive_expression(g, unknowns{});
            if constexpr (detail::depends<std::remove_cv_t<decltype(by_y)>>()) {
                const auto by_x = detail::gradient_vector(by{}, g);
                const auto result = detail::simplified_quotients(expressions::indices_of<decltype(by_x)>{}, by_x, by_y);
                if constexpr (expressions::variable_node<X>)
                    return expressions::element_at<0>(result);
                else
                    return result;
            }
        }
    } else {
        constexpr bool fit =
            std::size_t{G::count} == static_cast<std::size_t>(unknowns::size) && std::size_t{G::columns} == 0;
        static_assert(
            fit, "implicit_derivative: the number of equations is not the number of unknowns; pass a vector with one "
                 "expression per unknown");
        if constexpr (fit) {
            const auto by_y = detail::jacobian_matrix(expressions::indices_of<G>{}, unknowns{}, g);
            const auto by_x = detail::jacobian_matrix(expressions::indices_of<G>{}, by{}, g);
            if constexpr (expressions::variable_node<X>)
                return -solve(by_y, elements(by_x));
            else
                return -solve(by_y, by_x);
        }
    }
}

/// The same for the expression of a function.
template <detail::has_expression F, class Y, class X>
[[nodiscard]] constexpr auto implicit_derivative(const F& f, Y y, X x) {
    return implicit_derivative(f.expression(), y, x);
}

} // namespace chainrule
