// SPDX-License-Identifier: BSL-1.0
//
// Roots of g(x, y) = 0 by Newton's method, with exact derivatives from one kernel. The root is a function of the
// parameters x, and the implicit function theorem gives its derivatives: the iteration runs in plain numbers, and one
// last step in the numbers of the parameters (dual or active) adds their derivatives.
#pragma once

#include <chainrule/functions/device.hpp>
#include <chainrule/core/is_finite.hpp>
#include <chainrule/core/raise.hpp>
#include <chainrule/algebra/apply.hpp>
#include <chainrule/algebra/implicit.hpp>
#include <chainrule/algebra/newton_checks.hpp>
#include <chainrule/algebra/root_status.hpp>
#include <chainrule/entry/function.hpp>
#include <chainrule/matrices/gaussian_elimination.hpp>

#include <limits>

namespace chainrule {

/// A root, or the last iterate if none was found.
template <class Value>
struct root_result {
    Value value;
    int iterations;
    root_status status;
    [[nodiscard]] constexpr bool converged() const { return status == root_status::converged; }
};

/// Thrown by newton() if it finds no root. (Not derived from std::runtime_error, whose header takes as long to compile
/// as the rest of the library.)
class no_root : public std::exception {
public:
    root_status status;
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

inline constexpr int most_iterations = 100;

// The iteration in plain numbers.
template <class F, class T, std::size_t N>
[[nodiscard]] constexpr root_result<std::array<T, N>> iterate(const F& f, std::array<T, N> y) {
    constexpr T epsilon = std::numeric_limits<T>::epsilon();
    std::array<T, N> last, recent;
    for (std::size_t i = 0; i < N; ++i) {
        last[i] = std::numeric_limits<T>::infinity();
        recent[i] = magnitude_of(y[i]);
    }
    for (int k = 1; k <= most_iterations; ++k) {
        auto [r, j] = f.value_and_jacobian(y);
        bool finite = true, zero = true;
        for (std::size_t i = 0; i < N; ++i) {
            finite = finite && core::is_finite(r[i]);
            zero = zero && r[i] == 0;
            for (std::size_t l = 0; l < N; ++l) finite = finite && core::is_finite(j[i][l]);
        }
        if (!finite) return {y, k, root_status::not_finite};
        if (zero) return {y, k, root_status::converged};
        if (!eliminate(j, r)) {
            // Near a double root, an unknown that is there already has no slope, while others still move.
            bool near = true;
            for (std::size_t i = 0; i < N; ++i) near = near && is_small_step<T>(last[i], magnitude_of(y[i]), recent[i]);
            return {y, k, near ? root_status::converged : root_status::no_slope};
        }
        bool done = true;
        for (std::size_t i = 0; i < N; ++i) {
            y[i] = y[i] - r[i];
            if (!core::is_finite(y[i])) return {y, k, root_status::not_finite};
            // Tested for each unknown separately: the step changed at most the last digit; or it was small and not
            // smaller than the previous one, because of rounding in g, as near a double root, or because one of several
            // unknowns is zero. Rounding that stopped an unknown once has stopped it for good: of many unknowns, some
            // steps always shrink by chance.
            const T size = magnitude_of(y[i]), change = magnitude_of(r[i]);
            recent[i] = size < recent[i] / 2 ? recent[i] / 2 : size;
            const bool stopped = change >= last[i] && is_small_step<T>(change, size, recent[i]);
            done = done && (change <= epsilon * size || stopped);
            last[i] = stopped ? T(0) : change;
        }
        if (done) return {y, k, root_status::converged};
    }
    return {y, most_iterations, root_status::no_convergence};
}

template <class... V, class... T>
constexpr auto plain_parameters(const binding<V, T>&... values) {
    return given(binding<V, typename carried<T>::plain>{carried<T>::value(values.value)}...);
}

// Transfers the derivatives of the parameters to the root.
template <class Number, class Plain, class F, class T, std::size_t N>
[[nodiscard]] constexpr std::array<Number, N> carry(const Plain& plain, const F& f, const std::array<T, N>& root,
                                                    bool& regular) {
    std::array<Number, N> y;
    for (std::size_t i = 0; i < N; ++i) y[i] = Number(root[i]);
    if constexpr (carried<Number>::depth == 1) {
        // One step with the inverse of the plain Jacobian.
        const auto jacobian = plain.jacobian(root);
        const auto residual = f(y);
        std::array<std::array<T, N>, N> inverse{};
        for (std::size_t k = 0; k < N; ++k) {
            auto j = jacobian;
            inverse[k][k] = 1;
            regular = regular && eliminate(j, inverse[k]);
        }
        for (std::size_t i = 0; i < N; ++i)
            for (std::size_t k = 0; k < N; ++k) y[i] = y[i] - inverse[k][i] * residual[k];
    } else {
        // Each step doubles the order up to which derivatives are correct.
        for (int step = 0; step < carried<Number>::depth; ++step) {
            auto [r, j] = f.value_and_jacobian(y);
            regular = regular && eliminate(j, r);
            for (std::size_t i = 0; i < N; ++i) y[i] = y[i] - r[i];
        }
    }
    return y;
}

template <class Number, class G, class... Y, class S, std::size_t N, class... Bindings>
[[nodiscard]] constexpr root_result<std::array<Number, N>>
find_root(const G& g, type_list<Y...> unknowns, const std::array<S, N>& start, const Bindings&... parameters) {
    const auto f = outputs_of(g);
    using plain = typename carried<Number>::plain;
    const auto in_plain = function(f, unknowns, plain_parameters(parameters...));
    std::array<plain, N> y;
    for (std::size_t i = 0; i < N; ++i) y[i] = static_cast<plain>(start[i]);
    const auto found = iterate(in_plain, y);
    std::array<Number, N> value;
    for (std::size_t i = 0; i < N; ++i) value[i] = Number(found.value[i]);
    root_status status = found.status;
    if constexpr (carried<Number>::depth > 0)
        if (found.converged()) {
            bool regular = true;
            value = carry<Number>(in_plain, function(f, unknowns, given(parameters...)), found.value, regular);
            if (!regular) status = root_status::no_slope;
        }
    return {value, found.iterations, status};
}

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

} // namespace detail

/// Solves g = 0 for y by Newton's method from a start, for values of the other variables (parameters) by name. y is a
/// variable and start a number; or y is a list of variables, start a std::array, and g a vector with one expression per
/// unknown. The iteration stops when a step changes at most the last digit, or when rounding keeps steps from
/// shrinking. The result states whether it converged. If parameters are dual or active numbers, so is the root, with
/// the derivatives given by the implicit function theorem: first derivatives for dual<T> and active<T>, derivatives up
/// to order n for n nested types. Example: `try_newton(y * y - x, y, 1.0, x = 2.0).value` is the square root of 2.
template <class G, class Y, class S, class... Parameter>
[[nodiscard]] constexpr auto try_newton(const G& g, Y y, const S& start, const Parameter&... parameters) {
    using unknowns = typename detail::listed<Y>::type;
    if constexpr (!detail::parameters_by_name<Parameter...>()) {
        return root_result<double>{};
    } else if constexpr (detail::some_vectors<Parameter...>) {
        return detail::call_with([&](const auto&... single) { return try_newton(g, y, start, single...); },
                                 detail::in_single_values(parameters...));
    } else if constexpr (detail::as_many_equations<detail::count_of_equations<G>(), unknowns::size>() &&
                         detail::right_start<unknowns::size, Y, S>()) {
        using equations = decltype(detail::outputs_of(g));
        using variables = decltype(graph::variables_in(typename equations::list{}));
        using given = core::type_list<typename Parameter::variable...>;
        if constexpr (detail::right_variables<expressions::short_list<unknowns>, expressions::short_list<given>,
                                              expressions::short_list<variables>>()) {
            const auto from = detail::start_array(start);
            using number =
                detail::root_number<equations, typename decltype(from)::value_type, decltype(parameters.value)...>;
            const auto found = detail::find_root<number>(g, unknowns{}, from, parameters...);
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

/// The same for a function of the variables, which may be traced code.
template <detail::has_expression F, class Y, class S, class... Parameter>
[[nodiscard]] constexpr auto try_newton(const F& f, Y y, const S& start, const Parameter&... parameters) {
    // First: the expressions of traced code with parameters take long to make.
    if constexpr (detail::as_many_equations<int{F::outputs_list::size}, detail::listed<Y>::type::size>())
        return try_newton(detail::as_expressions(f), y, start, parameters...);
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

/// The root with its derivatives with respect to all given parameters, which are plain numbers: r.value and r[x]; for
/// several unknowns r.value[i] and r[i][x]. Throws like newton(). Example:
/// `newton_and_gradient(y * y - x, y, 1.0, x = 4.0)[x] == 0.25`
template <class G, class Y, class S, class... V, class... T>
[[nodiscard]] constexpr auto newton_and_gradient(const G& g, Y y, const S& start, const binding<V, T>&... parameters) {
    using unknowns = typename detail::listed<Y>::type;
    const auto root = newton(g, y, start, parameters...);
    const auto roots = detail::start_array(root);
    using number = typename decltype(roots)::value_type;
    constexpr std::size_t size = roots.size(), count = sizeof...(V);
    using list = core::type_list<V...>;
    // One program for the Jacobian with respect to unknowns and parameters.
    const auto f = function(detail::outputs_of(g), unknowns{} + list{});
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
        if (!detail::eliminate(j, column)) detail::no_root_found(root_status::no_slope);
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
    return newton_and_gradient(detail::as_expressions(f), y, start, parameters...);
}

} // namespace chainrule
