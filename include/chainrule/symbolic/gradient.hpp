// SPDX-License-Identifier: BSL-1.0
//
// Gradients, Hessians and Jacobians indexed by variable: g[x] is an expression, g(x = 2.0, y = 5.0)[x] a number, and
// one program computes all numbers of a call. For numerical code, entry/function.hpp has the positional form.
#pragma once

#include <chainrule/entry/evaluate.hpp>
#include <chainrule/entry/outputs.hpp>
#include <chainrule/codegen/pattern.hpp>
#include <chainrule/symbolic/derivative.hpp>

namespace chainrule {

namespace detail {

template <class Key, class Variables>
consteval int position_of_key(Variables variables) {
    return expressions::position_in<expressions::named_by<Key>>(variables);
}
template <class Key>
inline constexpr bool names_variable = expressions::variable_node<expressions::named_by<Key>>;

} // namespace detail

/// One number per variable. (Lists of variables and of expressions have short names here too.)
template <class T, class Variables>
struct keyed {
    using has_parts = void;                                     // no text: print/text.hpp
    using list = expressions::long_list<Variables>;             ///< of the variables, in order
    std::array<T, static_cast<std::size_t>(list::size)> values; ///< in the order of the variables

    /// The number for a variable, or for a string of Boost.Hana that is its name.
    template <class V>
    [[nodiscard]] constexpr const T& operator[](V) const {
        constexpr int position = detail::position_of_key<V>(list{});
        constexpr bool variable = detail::names_variable<V>, known = !variable || position >= 0;
        static_assert(variable,
                      "result[v]: v is not a variable; write r[x], or r[q[3_c]] of a vector of variables, and "
                      "r.values[3] for the fourth number");
        static_assert(known, "result[v]: v is not among the variables of this result; use one of them");
        return values[static_cast<std::size_t>(position < 0 ? 0 : position)];
    }
};

/// A value, and one derivative per variable.
template <class T, class Variables>
struct keyed_with_value : keyed<T, Variables> {
    T value; ///< that of the expression
};

/// One number per pair of variables.
template <class T, class Variables>
struct keyed_matrix {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    /// Row by row, in the order of the variables.
    std::array<std::array<T, static_cast<std::size_t>(list::size)>, static_cast<std::size_t>(list::size)> values;

    /// The number for two variables.
    template <class V, class W>
    [[nodiscard]] constexpr const T& operator()(V, W) const {
        constexpr int row = detail::position_of_key<V>(list{}), column = detail::position_of_key<W>(list{});
        static_assert(row >= 0 && column >= 0,
                      "result(v, w): v or w is not among the variables of this result; use two of them");
        return values[static_cast<std::size_t>(row < 0 ? 0 : row)][static_cast<std::size_t>(column < 0 ? 0 : column)];
    }
    /// The row of a variable: h[x][y] is h(x, y).
    template <class V>
    [[nodiscard]] constexpr keyed<T, Variables> operator[](V) const {
        constexpr int row = detail::position_of_key<V>(list{});
        static_assert(row >= 0,
                      "result[v]: v is not among the variables of this Hessian; write h[x][y] or h(x, y) with two of "
                      "them");
        return {values[static_cast<std::size_t>(row < 0 ? 0 : row)]};
    }
};

/// One row of derivatives per expression of a vector.
template <class T, class Variables, int Rows>
struct keyed_rows {
    using has_parts = void; // no text: print/text.hpp
    /// rows[i][x] is the derivative of expression i with respect to x.
    std::array<keyed<T, Variables>, static_cast<std::size_t>(Rows)> rows;
    [[nodiscard]] constexpr const keyed<T, Variables>& operator[](std::size_t i) const { return rows[i]; }
};

namespace detail {

/// Runs the program of a request on expressions, with derivatives with respect to variables. A value for one of these
/// that does not occur is optional.
template <unsigned Request, class T, class Variables, class Elements, class Outputs, class... U>
[[gnu::always_inline]] constexpr void run_request(Outputs& outputs, const auto& numbers, const U&... given) {
    using expressions_list = expressions::long_list<Elements>;
    constexpr expressions::long_list<Variables> list;
    constexpr int size = decltype(list)::size;
    using given_list = type_list<typename U::variable...>;
    using by = decltype(variables_where<true>(given_list{}, list));
    using others = decltype(variables_where<false>(given_list{}, list));
    using inputs = decltype(list + others{});
    using asked = compiled<Request, size, inputs, expressions_list>;
    constexpr bool simple = count_in(list, given_list{}) == size;
    using checked =
        std::conditional_t<simple, asked, compiled<values, by::size, decltype(by{} + others{}), expressions_list>>;
    if constexpr (detail::without_fault<detail::fault_of_evaluation<checked, decltype(by{} + others{})>>())
        [&]<class... I>(type_list<I...>) {
            const auto all = detail::in_values_of_call(given...);
            detail::run_by_name<asked, T>(numbers, outputs, binding<I, T>{detail::value_for<I, T>(all)}...);
        }(inputs{});
}

} // namespace detail

/// The gradient of an expression: see gradient().
template <class E, class Variables, bool WithValue>
struct gradient_of {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    E f;                                            ///< the expression

    /// The derivative with respect to a variable, as an expression.
    template <class V>
    [[nodiscard]] constexpr auto operator[](V) const {
        constexpr bool variable = detail::names_variable<V>;
        static_assert(variable, "gradient: the index in [...] is not a variable; write g[x], or g[q[3_c]] of a vector "
                                "of variables");
        constexpr bool known = detail::position_of_key<V>(list{}) >= 0;
        static_assert(known || !variable,
                      "gradient: the variable in [...] is not among those of this gradient; use one of them");
        if constexpr (known)
            return derivative(f, expressions::named_by<V>{});
        else
            return expressions::no_element<>{};
    }

    /// All derivatives (and the value) for values by name, from one program.
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... given) const {
        if constexpr (detail::some_vectors<U...>) {
            using outputs = core::type_list<E>;
            if constexpr (detail::without_fault<
                              detail::fault_of_call<outputs, detail::short_variables_in<outputs>, U...>>())
                return detail::call_with(*this, detail::in_single_values(given...));
            else
                return keyed_with_value<double, Variables>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<core::type_list<E>, decltype(given.value)...>::type;
            constexpr std::size_t size = static_cast<std::size_t>(list::size);
            if constexpr (WithValue) {
                keyed_with_value<number, Variables> result{};
                detail::value_and_jacobian_outputs<number, 1, size> outputs{&result.value, result.values.data()};
                detail::run_request<request::values | request::jacobians, number, Variables, core::type_list<E>>(
                    outputs, kernel::numbers_of_expression<number>(f), given...);
                return result;
            } else {
                keyed<number, Variables> result{};
                detail::run_request<request::jacobians, number, Variables, core::type_list<E>>(
                    result.values, kernel::numbers_of_expression<number>(f), given...);
                return result;
            }
        } else {
            return keyed_with_value<double, Variables>{};
        }
    }
};

/// The gradient of f with respect to the listed variables, as in gradient(f, wrt(x, y)) or gradient(f, x, y), or to all
/// its variables in order of first appearance. g[x] is the expression df/dx, g(x = 2.0, y = 5.0)[x] its value.
template <expression E, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto gradient(const E& f, List...) {
    return gradient_of<E, expressions::short_list_of<List...>, false>{f};
}
template <expression E>
[[nodiscard]] constexpr auto gradient(const E& f) {
    return gradient_of<E, expressions::short_list<typename graph::variables_of<E>::type>, false>{f};
}

/// The value and the gradient from one program: r = value_and_gradient(f)(x = 2.0, y = 5.0); r.value, r[x].
template <expression E, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto value_and_gradient(const E& f, List...) {
    return gradient_of<E, expressions::short_list_of<List...>, true>{f};
}
template <expression E>
[[nodiscard]] constexpr auto value_and_gradient(const E& f) {
    return gradient_of<E, expressions::short_list<typename graph::variables_of<E>::type>, true>{f};
}

/// The Hessian of an expression: see hessian().
template <class E, class Variables>
struct hessian_of {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    E f;                                            ///< the expression

    /// H(x, y): a second derivative as an expression. H(x = 2.0, y = 5.0): all as numbers, indexed by (x, y).
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... arguments) const {
        if constexpr (sizeof...(U) == 2 && core::all_true({detail::names_variable<U>..., true})) {
            constexpr bool known = core::all_true({(detail::position_of_key<U>(list{}) >= 0)...});
            static_assert(known, "hessian: a variable in (...) is not among those of this Hessian; use two of them");
            if constexpr (known) return derivative(f, expressions::named_by<U>{}...);
        } else if constexpr (detail::some_vectors<U...>) {
            using outputs = core::type_list<E>;
            if constexpr (detail::without_fault<
                              detail::fault_of_call<outputs, detail::short_variables_in<outputs>, U...>>())
                return detail::call_with(*this, detail::in_single_values(arguments...));
            else
                return keyed_matrix<double, Variables>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<core::type_list<E>, decltype(arguments.value)...>::type;
            keyed_matrix<number, Variables> result{};
            detail::symmetric_outputs<number, static_cast<std::size_t>(list::size)> outputs{result.values.data()};
            detail::run_request<request::hessians, number, Variables, core::type_list<E>>(
                outputs, kernel::numbers_of_expression<number>(f), arguments...);
            return result;
        } else {
            return keyed_matrix<double, Variables>{};
        }
    }
};

/// The Hessian of f with respect to the listed variables, or to all its variables in order of first appearance.
template <expression E, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto hessian(const E& f, List...) {
    return hessian_of<E, expressions::short_list_of<List...>>{f};
}
template <expression E>
[[nodiscard]] constexpr auto hessian(const E& f) {
    return hessian_of<E, expressions::short_list<typename graph::variables_of<E>::type>>{f};
}

/// The Jacobian of a vector: see jacobian().
template <class Variables, class Elements>
struct jacobian_of {
    using has_parts = void;                         // no text: print/text.hpp
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    using vector = expressions::members_of_vector<Elements>;
    vector f; ///< the vector

    /// The gradient of expression I: see gradient().
    template <std::size_t I>
    [[nodiscard]] constexpr auto row() const {
        constexpr bool there = I < std::size_t{vector::count};
        static_assert(there, "jacobian: the index in row<i>() is past the last row; indices start at 0");
        if constexpr (there) return gradient(expressions::element_at<I>(f), list{});
    }
    template <class Row>
    constexpr expressions::no_element<> operator[](Row) const {
        constexpr bool there = sizeof(Row) == 0;
        static_assert(there,
                      "jacobian: J[i] is not a row of expressions; write J.row<0>()[x], or J(x = 2.0, y = 5.0)[0][x] "
                      "for its numbers");
        return {};
    }

    /// All entries for values by name: J(x = 2.0, y = 5.0)[1][x].
    template <class... U>
    [[nodiscard]] constexpr auto operator()(U... given) const {
        constexpr int rows = vector::list::size;
        if constexpr (detail::some_vectors<U...>) {
            if constexpr (detail::without_fault<
                              detail::fault_of_call<Elements, detail::short_variables_in<Elements>, U...>>())
                return detail::call_with(*this, detail::in_single_values(given...));
            else
                return keyed_rows<double, Variables, rows>{};
        } else if constexpr (detail::without_fault<detail::fault_of_arguments<U...>>()) {
            using number = typename kernel::computation<typename vector::list, decltype(given.value)...>::type;
            keyed_rows<number, Variables, rows> result{};
            struct {
                keyed_rows<number, Variables, rows>& r;
                constexpr number& operator[](std::size_t k) const {
                    constexpr std::size_t columns = static_cast<std::size_t>(list::size);
                    return r.rows[k / columns].values[k % columns];
                }
            } outputs{result};
            detail::run_request<request::jacobians, number, Variables, Elements>(outputs, kernel::numbers_of<number>(f),
                                                                                 given...);
            return result;
        } else {
            return keyed_rows<double, Variables, rows>{};
        }
    }
};

/// The Jacobian of vector(f1, f2, ...) with respect to the listed variables, or to all its variables in order of first
/// appearance.
template <class Elements, class... List>
requires(sizeof...(List) > 0)
[[nodiscard]] constexpr auto jacobian(const expressions::members_of_vector<Elements>& f, List...) {
    return jacobian_of<expressions::short_list_of<List...>, Elements>{f};
}
template <class Elements>
[[nodiscard]] constexpr auto jacobian(const expressions::members_of_vector<Elements>& f) {
    return jacobian_of<expressions::short_list<decltype(graph::variables_in(expressions::long_list<Elements>{}))>,
                       Elements>{f};
}
/// The Jacobian of one expression: its gradient as the only row.
template <expression E, class... List>
[[nodiscard]] constexpr auto jacobian(const E& f, List... list) {
    return jacobian(vector(f), list...);
}

// Requests that need a single expression.
#define CHAINRULE_OF_ONE_EXPRESSION(NAME, REMEDY)                                                                      \
    template <class Elements, class... List>                                                                           \
    constexpr int NAME(const expressions::members_of_vector<Elements>&, List...) {                                     \
        constexpr bool one_expression = sizeof(Elements) == 0;                                                         \
        static_assert(one_expression, #NAME ": f is a vector; " REMEDY);                                               \
        return 0;                                                                                                      \
    }
CHAINRULE_OF_ONE_EXPRESSION(gradient, "use jacobian(f, wrt(x, y))")
CHAINRULE_OF_ONE_EXPRESSION(value_and_gradient, "use jacobian(f, wrt(x, y))")
CHAINRULE_OF_ONE_EXPRESSION(hessian, "take the Hessian of each element, as in hessian(f[0_c])")
#undef CHAINRULE_OF_ONE_EXPRESSION

// The ellipsis is a worse match than any other function: one sentence in place of a list of candidates. Some functions
// have an order as their first parameter.
#define CHAINRULE_OF_EXPRESSIONS(NAME, ...)                                                                            \
    template <__VA_OPT__(__VA_ARGS__, ) class T = int>                                                                 \
    constexpr T NAME(...) {                                                                                            \
        constexpr bool is_expression = sizeof(T) == 0;                                                                 \
        static_assert(is_expression, #NAME ": the first argument is not an expression; of F = function(...) take a "   \
                                           "member, such as F.gradient(2.0, 5.0), and write 2_c for the number 2");    \
        return T();                                                                                                    \
    }
CHAINRULE_OF_EXPRESSIONS(derivative)
CHAINRULE_OF_EXPRESSIONS(derivative, int)
CHAINRULE_OF_EXPRESSIONS(gradient)
CHAINRULE_OF_EXPRESSIONS(value_and_gradient)
CHAINRULE_OF_EXPRESSIONS(hessian)
CHAINRULE_OF_EXPRESSIONS(jacobian)
CHAINRULE_OF_EXPRESSIONS(taylor, int)
#undef CHAINRULE_OF_EXPRESSIONS

/// The sparsity pattern of a Jacobian, or of both halves of a Hessian, as constant arrays in compressed sparse row
/// format; F.sparse_jacobian() and F.sparse_hessian() of function() write the entries in this order. Example:
/// `static_assert(sparsity(hessian(x * y)).size() == 2);`
template <class Variables, class Elements>
[[nodiscard]] constexpr auto sparsity(const jacobian_of<Variables, Elements>&) {
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    return codegen::jacobian_pattern<int{list::size}, list, expressions::long_list<Elements>>::value;
}
template <class E, class Variables>
[[nodiscard]] constexpr auto sparsity(const hessian_of<E, Variables>&) {
    using list = expressions::long_list<Variables>; ///< of the variables, in order
    return codegen::hessian_pattern<request::hessians, int{list::size}, list, core::type_list<E>>::value;
}

} // namespace chainrule
