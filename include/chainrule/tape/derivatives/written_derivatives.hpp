// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of a function at a point, written into memory of the caller: no list is made for the result.
// tape/derivatives/function_derivatives.hpp has the calls.
#pragma once

#include <chainrule/tape/derivatives/derivatives_at_points.hpp>

#include <span>

namespace chainrule::tape::points {

template <class F, list X>
number_of<X> write_gradient(F& f, const X& x, std::span<number_of<X>> to) {
    using T = number_of<X>;
    points::check_memory("gradient", points::size_of(x), to.size());
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const active<T> y = points::one_value<active<T>>(f, at);
    if (y.is_recorded() && !to.empty()) {
        on->backward(y);
        // The variables are consecutive results, and so are their gradients.
        std::copy_n(&on->gradient(points::element(at, 0)), to.size(), to.data());
    } else {
        std::fill(to.begin(), to.end(), T{});
    }
    return y.value();
}

template <class F, list X>
void write_jacobian(F& f, const X& x, std::span<number_of<X>> to) {
    using T = number_of<X>;
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const auto y = points::several_values<active<T>>(f, at);
    points::check_memory("jacobian", points::size_of(y) * points::size_of(at), to.size());
    sweeping::write_jacobian<T>(to.data(), *on, points::span_of(y), points::span_of(at));
}

template <class F, list X, direction D>
void write_jvp(F& f, const X& x, const D& directions, std::span<number_of<X>> to) {
    std::size_t rows = 1;
    if constexpr (is_matrix<D>) rows = directions.rows();
    points::with_tangents(f, x, directions, [&](const auto& y, std::size_t first, std::size_t count) {
        const std::size_t results = points::size_of(y);
        if (first == 0) points::check_memory("jvp", rows * results, to.size());
        points::write_tangents(to.data() + first * results, y, count);
    });
}

template <class F, list X, direction W>
void write_vjp(F& f, const X& x, const W& weights, std::span<number_of<X>> to) {
    using T = number_of<X>;
    std::size_t rows = 1;
    if constexpr (is_matrix<W>) rows = weights.rows();
    points::check_memory("vjp", rows * points::size_of(x), to.size());
    points::with_weights(f, x, weights, [&](basic_tape<T>& on, const auto& at, const auto& y) {
        points::write_products(to.data(), on, at, y, weights);
    });
}

template <class F, list X, direction D>
void write_hvp(F& f, const X& x, const D& directions, std::span<number_of<X>> to) {
    using T = number_of<X>;
    const std::size_t size = points::size_of(x);
    std::size_t rows = 1;
    if constexpr (is_matrix<D>) rows = directions.rows();
    points::check_memory("hvp", rows * size, to.size());
    points::with_second_derivatives("hvp", f, x, directions,
                                    [&](const T&, std::size_t first, std::size_t count, const auto& derivative) {
                                        for (std::size_t i = 0; i < size; ++i) {
                                            const auto& g = derivative(i);
                                            for (std::size_t k = 0; k < count; ++k)
                                                to[(first + k) * size + i] = g.tangents[k];
                                        }
                                    });
}

} // namespace chainrule::tape::points
