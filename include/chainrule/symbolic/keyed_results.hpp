// SPDX-License-Identifier: BSL-1.0
//
// Results indexed by variable, r[x], and the run of a program whose outputs they are.
#pragma once

#include <chainrule/entry/evaluate.hpp>
#include <chainrule/entry/outputs.hpp>

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

} // namespace chainrule
