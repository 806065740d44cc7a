// SPDX-License-Identifier: BSL-1.0
//
// Roots of g(x, y) = 0 by Newton's method, with exact derivatives from one kernel: newton, try_newton and
// newton_and_gradient.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/algebra/newton_checks.hpp>
#include <chainrule/algebra/newton_iteration.hpp>
#include <chainrule/entry/function_parts.hpp>

namespace chainrule {

/// Thrown by newton() if it finds no root. (Not derived from std::runtime_error, whose header takes as long to compile
/// as the rest of the library.)
class no_root : public std::exception {
public:
    root_status status; ///< why there is none
    explicit no_root(root_status why) noexcept : status(why) {}
    [[nodiscard]] const char* what() const noexcept override {
        return status == root_status::not_finite
                   ? "newton: g or its derivative is not finite at an iterate; start closer to "
                     "the root, within the domain of g"
               : status == root_status::no_slope
                   ? "newton: the derivative of g with respect to the unknown is zero, or the "
                     "Jacobian singular, at an iterate; start elsewhere"
                   : "newton: no convergence within 100 iterations; start closer to the root, "
                     "or check that there is one";
    }
};

/// The values of several unknowns with their derivatives with respect to parameters: r.value[i], r[i][x].
template <class T, class Variables, std::size_t Size>
struct keyed_rows_with_values : keyed_rows<T, Variables, static_cast<int>(Size)> {
    std::array<T, Size> value;
};

namespace detail {

[[noreturn]] CHAINRULE_HOST_DEVICE inline void no_root_found(root_status why) { core::raise_as<no_root>(why); }

// The type of the root: that of a computation with the numbers in g, the start and the parameters; integers are
// converted to double.
template <class G, class S, class... T>
using root_number = typename kernel::computation<typename G::list, S, T...>::type;

template <class S>
constexpr auto start_array(const S& start) {
    if constexpr (size_of_start<S> != 0)
        return start;
    else
        return std::array<S, 1>{start};
}

/// try_newton(), where g may have variables with values of its own, those of a function's parameters.
template <class G, class Y, class S, class... V, class... T, class... Parameter>
[[nodiscard]] constexpr auto tried_newton(const G& g, Y y, const S& start, const parameters<binding<V, T>...>& own,
                                          const Parameter&... values) {
    using unknowns = typename listed<Y>::type;
    if constexpr (!parameters_by_name<Parameter...>()) {
        return root_result<double>{};
    } else if constexpr (some_vectors<Parameter...>) {
        return call_with([&](const auto&... single) { return tried_newton(g, y, start, own, single...); },
                         in_single_values(values...));
    } else if constexpr (as_many_equations<count_of_equations<G>(), unknowns::size>() &&
                         right_start<unknowns::size, Y, S>()) {
        using equations = decltype(outputs_of(g));
        using variables = decltype(without(graph::variables_in(typename equations::list{}), core::type_list<V...>{}));
        using given = core::type_list<typename Parameter::variable...>;
        if constexpr (right_variables<expressions::short_list<unknowns>, expressions::short_list<given>,
                                      expressions::short_list<variables>>()) {
            const auto from = start_array(start);
            using number = root_number<equations, typename decltype(from)::value_type, decltype(values.value)..., T...>;
            const auto found = find_root<number>(
                g, unknowns{}, from, values...,
                binding<V, T>{static_cast<T>(static_cast<const parameter<binding<V, T>>&>(own).value)}...);
            if constexpr (expressions::variable_node<Y>)
                return root_result<number>{found.value[0], found.iterations, found.status};
            else
                return found;
        } else {
            return root_result<double>{};
        }
    } else {
        return root_result<double>{};
    }
}

} // namespace detail

/// Solves g = 0 for y by Newton's method from a start, for values of the other variables (parameters) by name. y is a
/// variable and start a number; or y is a list of variables, start a std::array, and g a vector with one expression per
/// unknown. Derivatives of the start do not count. The iteration stops when a step changes at most the last digit, or
/// when rounding keeps steps from shrinking. The result states whether it converged. If parameters are dual or active
/// numbers, so is the root, with the derivatives given by the implicit function theorem: first derivatives for dual<T>
/// and active<T>, derivatives up to order n for n nested types. Example: `try_newton(y * y - x, y, 1.0, x = 2.0).value`
/// is the square root of 2.
template <class G, class Y, class S, class... Parameter>
[[nodiscard]] constexpr auto try_newton(const G& g, Y y, const S& start, const Parameter&... parameters) {
    return detail::tried_newton(g, y, start, given(), parameters...);
}

/// The same for a function of the variables. Traced code may be of any size: no types are made of it.
template <detail::has_expression F, class Y, class S, class... Parameter>
[[nodiscard]] constexpr auto try_newton(const F& f, Y y, const S& start, const Parameter&... parameters) {
    // First: in other messages compilers write out all outputs.
    if constexpr (detail::as_many_equations<int{F::outputs_list::size}, detail::listed<Y>::type::size>())
        return detail::tried_newton(detail::function_parts::expressions(f), y, start, detail::function_parts::bound(f),
                                    parameters...);
    else
        return root_result<double>{};
}

/// The root that try_newton finds. Throws no_root if the iteration does not converge; in a constant expression that is
/// an error. Example: `static_assert(newton(y * y - x, y, 1.0, x = 4.0) == 2.0);`
template <class G, class Y, class S, class... Parameter>
[[nodiscard]] constexpr auto newton(const G& g, Y y, const S& start, const Parameter&... parameters) {
    const auto found = try_newton(g, y, start, parameters...);
    if (!found.converged()) detail::no_root_found(found.status);
    return found.value;
}

// Without a start: one sentence in place of the compiler's list of candidates.
template <class G, class Y>
int newton(const G&, Y) {
    static_assert(sizeof(G) == 0, "newton: the start is missing; write newton(g, y, start, x = 0.3)");
    return 0;
}

namespace detail {

/// What newton_and_gradient() returns for a root: its derivatives with respect to parameters, but not to those of the
/// function itself.
template <class Outputs, class Y, class Root, class Own, class... V, class... T>
constexpr auto gradient_of_root(const Outputs& g, Y, const Root& root, const Own& own,
                                const binding<V, T>&... parameters) {
    using unknowns = typename listed<Y>::type;
    const auto roots = start_array(root);
    using number = typename decltype(roots)::value_type;
    constexpr std::size_t size = roots.size(), count = sizeof...(V);
    using list = core::type_list<V...>;
    // One program for the Jacobian with respect to unknowns and parameters.
    const auto f = function(g, unknowns{} + list{}, own);
    std::array<number, size + count> point{};
    for (std::size_t i = 0; i < size; ++i) point[i] = roots[i];
    const number values[] = {static_cast<number>(parameters.value)..., number(0)};
    for (std::size_t k = 0; k < count; ++k) point[size + k] = values[k];
    const auto all = f.jacobian(point);
    std::array<std::array<number, size>, size> by_y;
    keyed_rows_with_values<number, expressions::short_list<list>, size> result{};
    for (std::size_t i = 0; i < size; ++i) {
        result.value[i] = roots[i];
        for (std::size_t l = 0; l < size; ++l) by_y[i][l] = all[i][l];
    }
    for (std::size_t k = 0; k < count; ++k) {
        auto j = by_y;
        std::array<number, size> column;
        for (std::size_t i = 0; i < size; ++i) column[i] = -all[i][size + k];
        if (!eliminate(j, column)) no_root_found(root_status::no_slope);
        for (std::size_t i = 0; i < size; ++i) result.rows[i].values[k] = column[i];
    }
    if constexpr (expressions::variable_node<Y>) {
        keyed_with_value<number, expressions::short_list<list>> single{};
        single.values = result.rows[0].values;
        single.value = root;
        return single;
    } else {
        return result;
    }
}

} // namespace detail

/// The root with its derivatives with respect to all given parameters, which are plain numbers: r.value and r[x]; for
/// several unknowns r.value[i] and r[i][x]. Throws like newton(). Example:
/// `newton_and_gradient(y * y - x, y, 1.0, x = 4.0)[x] == 0.25`
template <class G, class Y, class S, class... V, class... T>
[[nodiscard]] constexpr auto newton_and_gradient(const G& g, Y y, const S& start, const binding<V, T>&... parameters) {
    return detail::gradient_of_root(detail::outputs_of(g), y, newton(g, y, start, parameters...), given(),
                                    parameters...);
}

/// The same where a vector of parameters has its values, one for each.
template <class G, class Y, class S, class... Parameter>
requires(detail::some_vectors<Parameter...>)
[[nodiscard]] constexpr auto newton_and_gradient(const G& g, Y y, const S& start, const Parameter&... parameters) {
    if constexpr (detail::parameters_by_name<Parameter...>())
        return detail::call_with([&](const auto&... single) { return newton_and_gradient(g, y, start, single...); },
                                 detail::in_single_values(parameters...));
}

/// The same for a function of the variables.
template <detail::has_expression F, class Y, class S, class... V, class... T>
[[nodiscard]] constexpr auto newton_and_gradient(const F& f, Y y, const S& start, const binding<V, T>&... parameters) {
    return detail::gradient_of_root(detail::function_parts::expressions(f), y, newton(f, y, start, parameters...),
                                    detail::function_parts::bound(f), parameters...);
}

} // namespace chainrule
