// SPDX-License-Identifier: BSL-1.0
//
// batch(F): the results of a positional function at many points, in SIMD lanes, from the programs that F runs at one.
#pragma once

#include <chainrule/algebra/newton_checks.hpp>
#include <chainrule/batch/data/results.hpp>
#include <chainrule/batch/execution/batch_run.hpp>
#include <chainrule/batch/roots/roots.hpp>
#include <chainrule/entry/function.hpp>
#include <chainrule/entry/untraced.hpp>

namespace chainrule {

/// A function at many points: see batch(). Every member takes the points as columns(xs, ys), rows(points, stride) or a
/// matrix, and then, for each of its results, the memory to write it to, given in the same ways; without that it
/// returns the results. Results have one column per number: of a Jacobian or Hessian row by row.
template <class Function, class Executor = batches::one_thread>
class batch_function;

template <class Expressions, class Variables, class Bindings, bool Scalar, class Executor>
class batch_function<positional_function<Expressions, Variables, Bindings, Scalar>, Executor> {
    using function = positional_function<Expressions, Variables, Bindings, Scalar>;
    using outputs = typename function::outputs_list;
    static constexpr std::size_t rows = outputs::size;
    static constexpr std::size_t variables = function::variables_list::size;
    // The entries of a result that are not zero everywhere.
    template <unsigned Request>
    static constexpr std::size_t entries =
        batches::destinations_of<Request | request::without_zeros, variables, typename function::inputs_name,
                                 Expressions>::full::places;

    template <class Points>
    using number = batches::number_of_points<variables, Points>;
    template <class T>
    using values_result = std::conditional_t<Scalar, batch_result<T>, batch_result<T, rows>>;
    // Of several directions or weights, one result after the other.
    template <class T, std::size_t Sets, std::size_t... Shape>
    using results_of_sets = std::conditional_t<Sets == 1, batch_result<T, Shape...>, batch_result<T, Sets, Shape...>>;

public:
    constexpr explicit batch_function(const function& f, const Executor& executor = {}) : f_(f), executor_(executor) {}

    /// Changes the values of parameters, as for the function.
    template <class... Binding>
    constexpr void set(Binding... values) {
        f_.set(values...);
    }

    /// The values at the points.
    template <class Points, class Out>
    void values(const Points& points, Out&& out) const {
        run<request::values>(points, batches::as_list<rows>(out));
    }
    template <class Points>
    [[nodiscard]] auto values(const Points& points) const {
        values_result<number<Points>> result(batches::point_count<variables>(points));
        values(points, result.table());
        return result;
    }

    /// The gradients at the points.
    template <class Points, class Out>
    void gradient(const Points& points, Out&& out) const {
        static_assert(Scalar, "gradient: the function has several values; use jacobian(...)");
        if constexpr (Scalar) {
            run<request::jacobians>(points, batches::as_list<variables>(out));
        }
    }
    template <class Points>
    [[nodiscard]] auto gradient(const Points& points) const {
        batch_result<number<Points>, variables> result(batches::point_count<variables>(points));
        gradient(points, result.table());
        return result;
    }

    /// The values and gradients at the points, from one program.
    template <class Points, class Value, class Gradient>
    void value_and_gradient(const Points& points, Value&& value, Gradient&& gradient) const {
        static_assert(Scalar, "value_and_gradient: the function has several values; use value_and_jacobian(...)");
        if constexpr (Scalar)
            run<request::values | request::jacobians>(points, batches::as_list<1>(value),
                                                      batches::as_list<variables>(gradient));
    }
    template <class Points>
    [[nodiscard]] auto value_and_gradient(const Points& points) const {
        using T = number<Points>;
        const std::size_t count = batches::point_count<variables>(points);
        batch_value_and_gradient<T, variables> result{batch_result<T>(count), batch_result<T, variables>(count)};
        value_and_gradient(points, result.value.table(), result.gradient.table());
        return result;
    }

    /// The Jacobians of a vector at the points.
    template <class Points, class Out>
    void jacobian(const Points& points, Out&& out) const {
        run<request::jacobians>(points, batches::as_list<rows * variables>(out));
    }
    template <class Points>
    [[nodiscard]] auto jacobian(const Points& points) const {
        batch_result<number<Points>, rows, variables> result(batches::point_count<variables>(points));
        jacobian(points, result.table());
        return result;
    }

    /// The values and the Jacobians of a vector at the points, from one program.
    template <class Points, class Values, class Jacobian>
    void value_and_jacobian(const Points& points, Values&& values, Jacobian&& jacobian) const {
        run<request::values | request::jacobians>(points, batches::as_list<rows>(values),
                                                  batches::as_list<rows * variables>(jacobian));
    }
    template <class Points>
    [[nodiscard]] auto value_and_jacobian(const Points& points) const {
        using T = number<Points>;
        const std::size_t count = batches::point_count<variables>(points);
        batch_values_and_jacobian<T, rows, variables> result{batch_result<T, rows>(count),
                                                             batch_result<T, rows, variables>(count)};
        value_and_jacobian(points, result.values.table(), result.jacobian.table());
        return result;
    }

    /// The Hessians at the points: both halves, or the upper triangle row by row if there are columns for just that.
    template <class Points, class Out>
    void hessian(const Points& points, Out&& out) const {
        static_assert(Scalar, "hessian: the function has several values; use one function per value");
        if constexpr (Scalar) run<request::hessians>(points, batches::as_list<variables * variables>(out));
    }
    template <class Points>
    [[nodiscard]] auto hessian(const Points& points) const {
        batch_result<number<Points>, variables, variables> result(batches::point_count<variables>(points));
        hessian(points, result.table());
        return result;
    }

    /// The values, gradients and Hessians at the points, from one program.
    template <class Points, class Value, class Gradient, class Hessian>
    void value_gradient_and_hessian(const Points& points, Value&& value, Gradient&& gradient, Hessian&& hessian) const {
        static_assert(Scalar,
                      "value_gradient_and_hessian: the function has several values; use one function per value");
        if constexpr (Scalar)
            run<request::values | request::jacobians | request::hessians>(
                points, batches::as_list<1>(value), batches::as_list<variables>(gradient),
                batches::as_list<variables * variables>(hessian));
    }
    template <class Points>
    [[nodiscard]] auto value_gradient_and_hessian(const Points& points) const {
        using T = number<Points>;
        const std::size_t count = batches::point_count<variables>(points);
        batch_second_order<T, variables> result{batch_result<T>(count), batch_result<T, variables>(count),
                                                batch_result<T, variables, variables>(count)};
        value_gradient_and_hessian(points, result.value.table(), result.gradient.table(), result.hessian.table());
        return result;
    }

    /// The derivatives along directions: one given like the points, or a std::array for all points, or several of
    /// these in several(...).
    template <class Points, class Direction, class Out>
    void jvp(const Points& points, const Direction& direction, Out&& out) const {
        const auto along = batches::as_sets<variables>(direction);
        run_along<request::tangents, variables>(points, along, batches::as_list<along.sets * rows>(out));
    }
    template <class Points, class Direction>
    [[nodiscard]] auto jvp(const Points& points, const Direction& direction) const {
        using T = number<Points>;
        constexpr std::size_t sets = batches::sets_in<variables, Direction>;
        std::conditional_t<Scalar, results_of_sets<T, sets>, results_of_sets<T, sets, rows>> result(
            batches::point_count<variables>(points));
        jvp(points, direction, result.table());
        return result;
    }

    /// Weights times the Jacobian. Weights are given like directions, and for one expression as a number or a column.
    template <class Points, class Weights, class Out>
    void vjp(const Points& points, const Weights& weights, Out&& out) const {
        const auto along = batches::as_sets<rows>(weights);
        run_along<request::cotangents, rows>(points, along, batches::as_list<along.sets * variables>(out));
    }
    template <class Points, class Weights>
    [[nodiscard]] auto vjp(const Points& points, const Weights& weights) const {
        results_of_sets<number<Points>, batches::sets_in<rows, Weights>, variables> result(
            batches::point_count<variables>(points));
        vjp(points, weights, result.table());
        return result;
    }

    /// The Hessian times directions.
    template <class Points, class Direction, class Out>
    void hvp(const Points& points, const Direction& direction, Out&& out) const {
        static_assert(Scalar, "hvp: the function has several values; use one function per value");
        const auto along = batches::as_sets<variables>(direction);
        if constexpr (Scalar)
            run_along<request::hessian_products, variables>(points, along,
                                                            batches::as_list<along.sets * variables>(out));
    }
    template <class Points, class Direction>
    [[nodiscard]] auto hvp(const Points& points, const Direction& direction) const {
        results_of_sets<number<Points>, batches::sets_in<variables, Direction>, variables> result(
            batches::point_count<variables>(points));
        hvp(points, direction, result.table());
        return result;
    }

    /// The Taylor coefficients of t^0 to t^Order of the values at the points plus t times the direction; for several
    /// expressions one row of coefficients after the other.
    template <int Order, class Points, class Direction, class Out>
    void taylor(const Points& points, const Direction& direction, Out&& out) const {
        static_assert(Order >= 0, "taylor<n>: the order is negative; pass 0 or more");
        const auto along = batches::as_sets<variables>(direction);
        run_along<request::taylor_along | differentiate::taylor_order(Order), variables>(
            points, along, batches::as_list<along.sets * rows* static_cast<std::size_t>(Order + 1)>(out));
    }
    template <int Order, class Points, class Direction>
    [[nodiscard]] auto taylor(const Points& points, const Direction& direction) const {
        using T = number<Points>;
        constexpr std::size_t sets = batches::sets_in<variables, Direction>;
        constexpr auto coefficients = static_cast<std::size_t>(Order + 1);
        std::conditional_t<Scalar, results_of_sets<T, sets, coefficients>, results_of_sets<T, sets, rows, coefficients>>
            result(batches::point_count<variables>(points));
        taylor<Order>(points, direction, result.table());
        return result;
    }

    /// The Hessians of the weighted sum of the expressions. Weights are given as for vjp().
    template <class Points, class Weights, class Out>
    void lagrangian_hessian(const Points& points, const Weights& weights, Out&& out) const {
        const auto along = batches::as_sets<rows>(weights);
        run_along<request::weighted_hessians, rows>(points, along,
                                                    batches::as_list<along.sets * variables * variables>(out));
    }
    template <class Points, class Weights>
    [[nodiscard]] auto lagrangian_hessian(const Points& points, const Weights& weights) const {
        results_of_sets<number<Points>, batches::sets_in<rows, Weights>, variables, variables> result(
            batches::point_count<variables>(points));
        lagrangian_hessian(points, weights, result.table());
        return result;
    }

    /// The third derivatives: all of them, or those by variables i <= j <= k if there are columns for just these.
    template <class Points, class Out>
    void third_derivatives(const Points& points, Out&& out) const {
        static_assert(Scalar, "third_derivatives: the function has several values; use one function per value");
        if constexpr (Scalar) run<request::thirds>(points, batches::as_list<variables * variables * variables>(out));
    }
    template <class Points>
    [[nodiscard]] auto third_derivatives(const Points& points) const {
        batch_result<number<Points>, variables, variables, variables> result(batches::point_count<variables>(points));
        third_derivatives(points, result.table());
        return result;
    }

    /// The entries of the Jacobians that are not zero everywhere, in the order of the function's jacobian_sparsity().
    template <class Points, class Out>
    void sparse_jacobian(const Points& points, Out&& out) const {
        run_sparse<request::jacobians>(points, out);
    }
    template <class Points>
    [[nodiscard]] auto sparse_jacobian(const Points& points) const {
        batch_result<number<Points>, entries<request::jacobians>> result(batches::point_count<variables>(points));
        sparse_jacobian(points, result.table());
        return result;
    }

    /// The same of the Hessians, both halves, in the order of the function's hessian_sparsity().
    template <class Points, class Out>
    void sparse_hessian(const Points& points, Out&& out) const {
        static_assert(Scalar, "sparse_hessian: the function has several values; use sparse_lagrangian_hessian(...)");
        if constexpr (Scalar) run_sparse<request::hessians>(points, out);
    }
    template <class Points>
    [[nodiscard]] auto sparse_hessian(const Points& points) const {
        batch_result<number<Points>, entries<request::hessians>> result(batches::point_count<variables>(points));
        sparse_hessian(points, result.table());
        return result;
    }

    /// The same of lagrangian_hessian(), in the order of the function's lagrangian_hessian_sparsity().
    template <class Points, class Weights, class Out>
    void sparse_lagrangian_hessian(const Points& points, const Weights& weights, Out&& out) const {
        constexpr std::size_t per_set = entries<request::weighted_hessians>;
        if constexpr (per_set != 0) {
            const auto along = batches::as_sets<rows>(weights);
            run_along<request::weighted_hessians | request::without_zeros, rows>(
                points, along, batches::as_list<along.sets * per_set>(out));
        }
    }
    template <class Points, class Weights>
    [[nodiscard]] auto sparse_lagrangian_hessian(const Points& points, const Weights& weights) const {
        results_of_sets<number<Points>, batches::sets_in<rows, Weights>, entries<request::weighted_hessians>> result(
            batches::point_count<variables>(points));
        sparse_lagrangian_hessian(points, weights, result.table());
        return result;
    }

    /// Solves F = 0 for the variables in wrt(...) by Newton's method: one problem per point, which has the start and,
    /// by name, the parameters. The rules are those of newton(); a search that fails influences no other. Writes the
    /// roots and returns how the searches ended. Further arguments, in any order: newton_options, damped, threads(n),
    /// report(f). Example: `b.newton(columns(E = starts, e = es, M = ms), roots, threads(2));`
    template <class Points, class Out, class... Options>
    requires(!batches::is_newton_option<std::remove_cvref_t<Out>>)
    auto newton(const Points& points, Out&& out, const Options&... options) const {
        root_outcomes<number<Points>> outcomes(batches::point_count<variables>(points));
        if constexpr (detail::as_many_equations<int{rows}, int{variables}>() &&
                      batches::right_newton_options<std::remove_cvref_t<Out>, Options...>())
            find_roots(points, out, outcomes, options...);
        return outcomes;
    }
    /// The roots, and how the searches ended.
    template <class Points>
    [[nodiscard]] auto newton(const Points& points) const {
        return roots_of(points);
    }
    template <class Points, class First, class... Options>
    requires batches::is_newton_option<First>
    [[nodiscard]] auto newton(const Points& points, const First& first, const Options&... options) const {
        return roots_of(points, first, options...);
    }

private:
    template <class Points, class... Options>
    [[nodiscard]] auto roots_of(const Points& points, const Options&... options) const {
        using T = number<Points>;
        std::conditional_t<Scalar, batch_roots<T>, batch_roots<T, variables>> roots(
            batches::point_count<variables>(points));
        if constexpr (detail::as_many_equations<int{rows}, int{variables}>() &&
                      batches::right_newton_options<kernel::none, Options...>())
            find_roots(points, roots.values.table(), roots, options...);
        return roots;
    }
    template <class Points, class Out, class Outcomes, class... Options>
    void find_roots(const Points& points, Out&& out, Outcomes& outcomes, const Options&... options) const {
        batches::find_roots(f_, batches::as_list<variables>(points), batches::as_list<variables>(out), executor_,
                            outcomes, options...);
    }
    // Without entries there is nothing to write.
    template <unsigned Request, class Points, class Out>
    void run_sparse(const Points& points, Out& out) const {
        if constexpr (entries<Request> != 0)
            run<Request | request::without_zeros>(points, batches::as_list<entries<Request>>(out));
    }
    template <unsigned Request, class Points, class... Outs>
    void run(const Points& points, const Outs&... outs) const {
        const auto columns = batches::as_list<variables>(points);
        const auto results = batches::joined(outs...);
        using call = batches::call_of_batch<Request, 0, function, std::remove_const_t<decltype(columns)>,
                                            batches::no_columns, std::remove_const_t<decltype(results)>>;
        if constexpr (batches::right_columns<call::fault()>()) call::run(f_, columns, {}, results, executor_);
    }
    template <unsigned Request, std::size_t PerSet, class Points, class Along, class Out>
    void run_along(const Points& points, const Along& along, const Out& out) const {
        const auto columns = batches::as_list<variables>(points);
        const auto results = batches::joined(out);
        using call = batches::call_of_batch<Request, PerSet, function, std::remove_const_t<decltype(columns)>,
                                            decltype(Along::list), std::remove_const_t<decltype(results)>>;
        if constexpr (batches::right_columns<call::fault()>()) call::run(f_, columns, along.list, results, executor_);
    }

    [[no_unique_address]] function f_;
    [[no_unique_address]] Executor executor_;
};

/// Several directions, or several sets of weights, for which derivatives are computed in one pass.
/// Example: `b.jvp(columns(xs, ys), several(std::array{1.0, 0.0}, std::array{0.0, 1.0}), columns(along_x, along_y));`
template <class... Directions>
[[nodiscard]] constexpr auto several(const Directions&... directions) {
    return batches::several<Directions...>{{directions...}};
}

namespace batches {
template <class Expressions, class Variables, class Bindings, bool Scalar>
std::true_type positional(const positional_function<Expressions, Variables, Bindings, Scalar>*);
std::false_type positional(const void*);
} // namespace batches

/// A positional function at many points: values, derivatives and products with directions in SIMD lanes, the widest
/// under the compiler's flags. An element of a result does not depend on the number of points.
/// Example: `constexpr auto b = batch(F); b.value_and_gradient(columns(xs, ys), values, columns(dxs, dys));`
template <class Expressions, class Variables, class Bindings, bool Scalar>
[[nodiscard]] constexpr auto batch(const positional_function<Expressions, Variables, Bindings, Scalar>& f) {
    return batch_function<positional_function<Expressions, Variables, Bindings, Scalar>>(f);
}
/// The same with several threads, for instance batch(F, threads(4)): see threads.hpp, execution.hpp and openmp.hpp.
template <class Expressions, class Variables, class Bindings, bool Scalar, class Threads>
[[nodiscard]] constexpr auto batch(const positional_function<Expressions, Variables, Bindings, Scalar>& f,
                                   [[maybe_unused]] const Threads& threads) {
    constexpr bool known = batches::is_executor<Threads>;
    static_assert(known, "batch: the second argument is not one of threads(n), an execution policy and openmp(n), or "
                         "its header is missing; write batch(F, threads(4)), and pass points to its members");
    if constexpr (known) {
        using executor = typename batches::executor_of<Threads>::type;
        return batch_function<positional_function<Expressions, Variables, Bindings, Scalar>, executor>(
            f, executor(threads));
    } else {
        return batch(f); // adds no errors
    }
}
// Of what function() refused.
template <class... Threads>
[[nodiscard]] constexpr tracing::untraced batch(const tracing::untraced& f, const Threads&...) {
    return f;
}
/// The same of an expression, a vector of expressions or code: of function(f).
template <class F, class... Threads>
requires(!decltype(batches::positional(std::declval<const F*>()))::value)
[[nodiscard]] constexpr auto batch(const F& f, const Threads&... threads) {
    constexpr bool alone =
        sizeof...(Threads) == 0 || (sizeof...(Threads) == 1 && (true && ... && batches::is_executor<Threads>));
    static_assert(alone, "batch: an expression or code is followed by something other than threads(n); write "
                         "batch(function(f, wrt(x, y)), threads(4))");
    using made = decltype(function(f));
    if constexpr (alone && decltype(batches::positional(static_cast<const made*>(nullptr)))::value)
        return batch(function(f), threads...);
    else
        return tracing::untraced{}; // adds no errors
}

} // namespace chainrule
