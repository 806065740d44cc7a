// SPDX-License-Identifier: BSL-1.0
//
// simplify(f) and expand(f): expressions again, made of the rewritten graph. Next is algebra/implicit.hpp.
#pragma once

#include <chainrule/algebra/rewriting.hpp>
#include <chainrule/symbolic/derivative.hpp>

namespace chainrule {

namespace program {

template <class E, rewriting::goal Goal>
constexpr auto rewritten_element(const E& f) {
    using rows = raised_rows<rewritten<E, Goal>>;
    constexpr bool complete = rows::last >= 0;
    static_assert(complete, "expand: a sum becomes longer than 1000 terms; expand a smaller part, or leave it as a product");
    if constexpr (complete) return expression_of_rows<rows>(f);
}
template <rewriting::goal Goal, std::size_t... I, class V>
constexpr auto rewritten_array(std::index_sequence<I...>, const V& v) {
    return array_of<std::size_t{V::columns}>(
        rewritten_element<decltype(element_at<I>(v)), Goal>(element_at<I>(v))...);
}
template <rewriting::goal Goal, class F>
constexpr auto rewritten_expression(const F& f) {
    if constexpr (array_kind_of<F> == array_kind::scalar)
        return rewritten_element<F, Goal>(f);
    else
        return rewritten_array<Goal>(indices_of<F>{}, f);
}

} // namespace program

/// f by the identities that derivatives get: like terms collected, equal factors cancelled, common factors taken out of sums,
/// constants calculated. They hold wherever f is defined, but for rounding: the value of the result may differ from that of f in
/// the last digits, and it may have a value where f has none, as x / x at 0. Simplifying twice changes nothing
/// more, where there are no stored numbers.
/// Of a vector or matrix: of each element.
/// Example: `to_string(simplify(x * y + y * x)) == "2 * x * y"`
template <class F>
[[nodiscard]] constexpr auto simplify(const F& f) {
    return program::rewritten_expression<program::rewriting::goal::simplify>(f);
}

/// f with products of sums multiplied out, and integer powers of sums: a sum of products, by falling degree. What
/// simplify() says of values holds here too.
/// Example: `to_string(expand(pow(x + y, 2_c))) == "x * x + 2 * x * y + y * y"`
template <class F>
[[nodiscard]] constexpr auto expand(const F& f) {
    return program::rewritten_expression<program::rewriting::goal::expand>(f);
}

} // namespace chainrule
