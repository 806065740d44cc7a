// SPDX-License-Identifier: BSL-1.0
//
// Compile-time checks of the arguments of newton(): one equation per unknown, a start of matching size, and a value for
// each other variable.
#pragma once

#include <chainrule/expression/vector.hpp>
#include <chainrule/entry/evaluate.hpp>

#include <array>
#include <cstddef>

namespace chainrule::detail {

template <class G>
consteval int count_of_equations() {
    if constexpr (array_kind_of<G> == array_kind::scalar)
        return 1;
    else
        return static_cast<int>(G::count);
}
template <int Equations, int Unknowns>
consteval bool as_many_equations() {
    constexpr bool fit = Equations == Unknowns;
    static_assert(
        fit,
        "newton: the number of equations is not the number of unknowns; pass a vector with one expression per unknown");
    return fit;
}
template <class... Parameter>
consteval bool parameters_by_name() {
    constexpr bool numbers = !core::any_true({is_substitution<Parameter>..., false});
    static_assert(numbers,
                  "newton: a parameter is given an expression; give it a number, or solve substitute(g, x = q)");
    constexpr bool named = !numbers || all_true({(is_binding<Parameter> || some_vectors<Parameter>)..., true});
    static_assert(named, "newton: a parameter does not name its variable; write newton(g, y, start, x = 0.3)");
    return numbers && named;
}

// Checks that the variables of g are exactly the unknowns and the parameters: short names of the lists.
template <class Unknowns, class Parameters, class Variables>
consteval bool right_variables() {
    using Y = expressions::long_list<Unknowns>;
    using P = expressions::long_list<Parameters>;
    using V = expressions::long_list<Variables>;
    constexpr bool unknowns = count_in(Y{}, V{}) == Y::size;
    static_assert(unknowns, "newton: g does not depend on an unknown; check which variables are the unknowns");
    constexpr bool disjoint = count_in(P{}, Y{}) == 0;
    static_assert(disjoint, "newton: a value is given for an unknown; its start is the third argument");
    constexpr bool known = !disjoint || count_in(P{}, V{}) == P::size;
    static_assert(known,
                  "newton: a value is given for a variable that does not occur in g; remove it or check its name");
    constexpr bool complete = count_in(V{}, Y{} + P{}) == V::size;
    static_assert(complete, "newton: a variable of g is not an unknown and has no value; give it one, as in "
                            "newton(g, y, start, x = 0.3)");
    return unknowns && disjoint && known && complete;
}
template <class S>
inline constexpr std::size_t size_of_start = 0;
template <class T, std::size_t N>
inline constexpr std::size_t size_of_start<std::array<T, N>> = N;

template <int Unknowns, class Y, class S>
consteval bool right_start() {
    constexpr bool right = size_of_start<S> == (variable_node<Y> ? 0 : static_cast<std::size_t>(Unknowns));
    static_assert(
        right,
        "newton: the start does not match the unknowns; pass a number for one unknown, or a std::array with one number "
        "per unknown");
    return right;
}

} // namespace chainrule::detail
