// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of a function at a point, and the types that hold them: a run of the function with active or dual numbers
// (tape/derivatives/runs_at_points.hpp), and a sweep. tape/derivatives/function_derivatives.hpp has the calls.
#pragma once

#include <chainrule/tape/derivatives/forward_runs.hpp>
#include <chainrule/tape/derivatives/runs_at_points.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace chainrule::tape {

// Members without initial values are written once: g++ clears arrays with vectors of 64 bytes where it may, and some
// processors then run at a lower frequency.

/// A value and its gradient, laid out as the point.
template <class T, class Gradient>
struct value_and_gradient_of {
    T value;
    Gradient gradient;
};
/// The values of a function, laid out as it returns them, and its Jacobian.
template <class Values, class Jacobian>
struct values_and_jacobian_of {
    Values values;
    Jacobian jacobian;
};
/// A value, or values, and a product of the derivatives with a direction or with weights.
template <class Value, class Product>
struct value_and_product {
    Value value{};
    Product product{};
};
/// A value, its gradient, and the product of its Hessian with a direction.
template <class T, class Gradient, class Product = Gradient>
struct value_gradient_and_product {
    T value{};
    Gradient gradient{};
    Product product{};
};
/// A value, its gradient and second derivatives.
template <class T, class Gradient = std::vector<T>, class Hessian = matrix<T>>
struct second_derivatives {
    T value{};
    Gradient gradient{};
    Hessian hessian{};
};

namespace points {

template <class F, one_list X>
[[nodiscard]] auto value_and_gradient(F& f, const X& x) {
    using T = number_of<X>;
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const active<T> y = points::one_value<active<T>>(f, at);
    if (y.is_recorded()) on->backward(y);
    auto gradient = points::gradients(*on, at, y.is_recorded());
    return value_and_gradient_of<T, decltype(gradient)>{y.value(), std::move(gradient)};
}

template <class F, one_list X>
[[nodiscard]] auto value_and_jacobian(F& f, const X& x) {
    using T = number_of<X>;
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const auto y = points::several_values<active<T>>(f, at);
    using columns = std::remove_const_t<decltype(at)>;
    using matrix_type = matrix_of<std::remove_const_t<decltype(y)>, columns, T>;
    auto values = points::values<T>(y);
    return values_and_jacobian_of<decltype(values), matrix_type>{
        std::move(values),
        points::converted<matrix_type>(chainrule::tape::jacobian(*on, points::span_of(y), points::span_of(at)))};
}

// Forward over reverse: one run of f and one sweep for each four variables.
template <one_list X>
inline constexpr std::size_t directions_of_run = std::max(std::size_t{1}, std::min(std::size_t{4}, layout<X>::extent));
template <one_list X>
using number_of_hessian = dual<number_of<X>, directions_of_run<X>>;
template <class X, class... Point>
using numbers_of_hessian = with_numbers<active<number_of_hessian<listed<Point...>>>, X>;
// The point, or one near it, as dual numbers without tangents.
template <class D, one_list X>
[[nodiscard]] auto without_tangents(const X& x, points::probe where) {
    using T = number_of<X>;
    return points::made<D>(
        x, [&](const auto& v, std::size_t i) { return D(points::at_or_near(static_cast<T>(v), i, where)); });
}
template <class D, class F, one_list X>
void check_second_derivatives(const char* call, basic_tape<D>& on, F& f, const X& x) {
    points::check_own_numbers(call, [&](points::probe where) {
        on.clear();
        const auto at = points::variables(on, points::without_tangents<D>(x, where));
        return std::vector<D>{points::one_value<active<D>>(f, at).value()};
    });
    on.clear();
}

template <class F, one_list X>
[[nodiscard]] auto hessian(F& f, const X& x) {
    using T = number_of<X>;
    constexpr std::size_t directions = directions_of_run<X>;
    using number = number_of_hessian<X>;
    const std::size_t n = points::size_of(x);
    T value{};
    auto gradient = points::made<T>(x, [](const auto&, std::size_t) { return T{}; });
    matrix<T> second(n, n);
    const kept_tape<number> on;
    const forward_run<number> run;
    if (run.is_within_another()) points::check_second_derivatives("hessian", *on, f, x);
    std::size_t first = 0;
    do { // once for no variables too, for the value
        on->clear();
        const auto at = points::made<active<number>>(x, [&](const auto& v, std::size_t i) {
            const auto plain = static_cast<T>(v);
            return on->variable(i >= first && i < first + directions ? number::variable(plain, i - first)
                                                                     : number(plain));
        });
        const active<number> y = points::one_value<active<number>>(f, at);
        value = y.value().value;
        if (y.is_recorded()) { // not a constant
            on->backward(y);
            for (std::size_t i = 0; i < n; ++i) {
                const number& g = points::element(at, i).gradient();
                points::element(gradient, i) = g.value;
                for (std::size_t k = 0; k < directions && first + k < n; ++k) second(i, first + k) = g.tangents[k];
            }
        }
        first += directions;
    } while (first < n);
    using matrix_type = matrix_of<decltype(gradient), decltype(gradient), T>;
    return second_derivatives<T, decltype(gradient), matrix_type>{std::move(value), std::move(gradient),
                                                                  points::converted<matrix_type>(std::move(second))};
}

// Forward over reverse: calls use(value, first, count, derivative) for parts of the directions, where derivative(i) is
// the dual number of the gradient's element i, with a tangent for each of the directions.
template <class F, one_list X, class D, class Use>
void with_second_derivatives(const char* call, F& f, const X& x, const D& directions, Use use) {
    using T = number_of<X>;
    points::check_direction(call, x, directions);
    points::for_directions<T>(directions, [&](auto lanes, std::size_t first, std::size_t count, auto direction) {
        using number = dual<T, lanes>;
        const kept_tape<number> on;
        const forward_run<number> run;
        if (run.is_within_another()) points::check_second_derivatives(call, *on, f, x);
        const auto at = points::variables(*on, points::along<T, lanes>(x, count, direction));
        const active<number> y = points::one_value<active<number>>(f, at);
        if (y.is_recorded()) on->backward(y);
        use(y.value().value, first, count,
            [&](std::size_t i) { return y.is_recorded() ? points::element(at, i).gradient() : number(); });
    });
}

template <class F, one_list X, class D>
[[nodiscard]] auto value_gradient_and_hvp(const char* call, F& f, const X& x, const D& directions) {
    using T = number_of<X>;
    auto gradient = points::made<T>(x, [](const auto&, std::size_t) { return T{}; });
    value_gradient_and_product<T, decltype(gradient), product_of<T, D, decltype(gradient)>> result;
    result.gradient = gradient;
    if constexpr (is_matrix<D>)
        result.product = matrix<T>(directions.rows(), points::size_of(x));
    else
        result.product = gradient;
    points::with_second_derivatives(call, f, x, directions,
                                    [&](const T& value, std::size_t first, std::size_t count, const auto& derivative) {
                                        result.value = value;
                                        for (std::size_t i = 0; i < points::size_of(x); ++i) {
                                            const auto& g = derivative(i);
                                            points::element(result.gradient, i) = g.value;
                                            if constexpr (is_matrix<D>)
                                                for (std::size_t k = 0; k < count; ++k)
                                                    result.product(first + k, i) = g.tangents[k];
                                            else
                                                points::element(result.product, i) = g.tangents[0];
                                        }
                                    });
    return result;
}

// Forward mode, without a tape: calls use(results, first, count) for parts of the directions.
template <class F, one_list X, direction D, class Use>
void with_tangents(F& f, const X& x, const D& directions, Use use) {
    using T = number_of<X>;
    points::check_direction("jvp", x, directions);
    points::for_directions<T>(directions, [&](auto lanes, std::size_t first, std::size_t count, auto direction) {
        using number = dual<T, lanes>;
        const forward_run<number> run;
        if (run.is_within_another())
            points::check_own_numbers("jvp", [&](points::probe where) {
                return points::copied<number>(
                    points::all_values<number>(f, points::without_tangents<number>(x, where)));
            });
        use(points::all_values<number>(f, points::along<T, lanes>(x, count, direction)), first, count);
    });
}
// Writes the tangents of results: those in one direction follow one another. In blocks, since dual numbers of many
// results exceed the fast caches, and are read once for each direction.
template <class T, list Y>
void write_tangents(T* to, const Y& results, std::size_t directions) {
    constexpr std::size_t block = 64;
    const std::size_t size = points::size_of(results);
    for (std::size_t begin = 0; begin < size; begin += block)
        for (std::size_t k = 0; k < directions; ++k)
            for (std::size_t i = begin; i < std::min(size, begin + block); ++i)
                to[k * size + i] = points::element(results, i).tangents[k];
}

template <class F, one_list X, direction D>
[[nodiscard]] auto value_and_jvp(F& f, const X& x, const D& directions) {
    using T = number_of<X>;
    using point_of_one = typename layout<X>::template with<dual<T, 1>>;
    using values_type = decltype(points::values<T>(points::all_values<dual<T, 1>>(f, std::declval<point_of_one>())));
    values_type values{};
    product_of<T, D, values_type> product{};
    points::with_tangents(f, x, directions, [&](const auto& y, std::size_t first, std::size_t count) {
        if (first == 0) values = points::values<T>(y);
        if constexpr (is_matrix<D>) {
            const std::size_t results = points::size_of(y);
            if (first == 0) product = matrix<T>::to_be_written(directions.rows(), results);
            points::write_tangents(product.data() + first * results, y, count);
        } else {
            product = points::made<T>(y, [](const auto& v, std::size_t) { return v.tangents[0]; });
        }
    });
    auto value = points::as_returned<F, point_of_one>(std::move(values));
    if constexpr (is_matrix<D>) {
        return value_and_product<decltype(value), matrix<T>>{std::move(value), std::move(product)};
    } else {
        auto one = points::as_returned<F, point_of_one>(std::move(product));
        return value_and_product<decltype(value), decltype(one)>{std::move(value), std::move(one)};
    }
}

// Records f and calls use(tape, variables, results), after a check that there is a weight for each result.
template <class F, one_list X, class W, class Use>
auto with_weights(F& f, const X& x, const W& weights, Use use) {
    using T = number_of<X>;
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const auto y = points::all_values<active<T>>(f, at);
    const std::size_t results = points::size_of(y), given = points::length(weights);
    if (given != results)
        core::raise(std::invalid_argument("vjp: the function returns " + std::to_string(results) + " numbers and " +
                                          std::to_string(given) + " weights are given; give as many of both"));
    return use(*on, at, y);
}
// Writes products of weights and the Jacobian, row by row.
template <class T, list At, list Y, class W>
void write_products(T* to, basic_tape<T>& on, const At& at, const Y& y, const W& weights) {
    const auto outputs = points::span_of(y);
    const std::size_t size = points::size_of(at);
    if constexpr (is_matrix<W>) {
        sweeping::for_each_part(weights.rows(), [&](auto lanes, std::size_t first, std::size_t count) {
            const auto adjoints = on.template backward<lanes>(
                outputs, std::span<const T>(weights.data() + first * outputs.size(), count * outputs.size()));
            for (std::size_t i = 0; i < size; ++i) {
                const std::array<T, lanes> by_input = adjoints[points::element(at, i)];
                for (std::size_t k = 0; k < count; ++k) to[(first + k) * size + i] = by_input[k];
            }
        });
    } else {
        const std::vector<T> plain = points::copied<T>(weights);
        on.backward(outputs, std::span<const T>(plain));
        if (size > 0) std::ranges::copy(on.gradients_from(points::element(at, 0), size), to);
    }
}

template <class F, one_list X, class W>
[[nodiscard]] auto value_and_vjp(F& f, const X& x, const W& weights) {
    using T = number_of<X>;
    if constexpr (number<W>) {
        return points::value_and_vjp(f, x, std::array<T, 1>{static_cast<T>(weights)});
    } else {
        return points::with_weights(f, x, weights, [&](basic_tape<T>& on, const auto& at, const auto& y) {
            using point = std::remove_cvref_t<decltype(at)>;
            auto value = points::as_returned<F, point>(points::values<T>(y));
            if constexpr (is_matrix<W>) {
                auto product = matrix<T>::to_be_written(weights.rows(), points::size_of(at));
                points::write_products(product.data(), on, at, y, weights);
                return value_and_product<decltype(value), matrix<T>>{std::move(value), std::move(product)};
            } else {
                auto product = points::made<T>(at, [](const auto&, std::size_t) { return T{}; });
                auto numbers = points::span_of(product); // or a vector
                points::write_products(numbers.data(), on, at, y, weights);
                if constexpr (is_stored_by_rows<decltype(product)>)
                    for (std::size_t i = 0; i < numbers.size(); ++i) points::element(product, i) = numbers[i];
                return value_and_product<decltype(value), decltype(product)>{std::move(value), std::move(product)};
            }
        });
    }
}

} // namespace points

} // namespace chainrule::tape
