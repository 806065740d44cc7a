// SPDX-License-Identifier: BSL-1.0
//
// Derivatives of a function at a point, written into memory of the caller: no list is made for the result.
// tape/derivatives/function_derivatives.hpp has the calls.
#pragma once

#include <chainrule/tape/derivatives/derivatives_at_points.hpp>

#include <algorithm>
#include <functional>
#include <span>

namespace chainrule::tape::points {

template <class F, list X>
number_of<X> write_gradient(F& f, const X& x, const memory_of<number_of<X>>& to) {
    using T = number_of<X>;
    points::check_memory("gradient", 1, points::size_of(x), to);
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const active<T> y = points::one_value<active<T>>(f, at);
    if (y.is_recorded() && !to.empty()) {
        on->backward(y);
        std::ranges::copy(on->gradients_from(points::element(at, 0), to.size()), to.begin());
    } else {
        std::fill(to.begin(), to.end(), T{});
    }
    return y.value();
}

template <class F, list X>
void write_jacobian(F& f, const X& x, const memory_of<number_of<X>>& to) {
    using T = number_of<X>;
    const kept_tape<T> on;
    const auto at = points::variables(*on, x);
    const auto y = points::several_values<active<T>>(f, at);
    points::check_memory("jacobian", points::size_of(y), points::size_of(at), to);
    sweeping::write_jacobian<T>(to.data(), *on, points::span_of(y), points::span_of(at));
}

/// Rows of directions or weights that may be read after some results have been written: a copy if they are where these
/// go.
template <class T>
class rows_to_read {
public:
    rows_to_read(const matrix<T>& rows, std::span<const T> to) : rows_(&rows) {
        const std::less<const T*> before;
        const T* const end = rows.data() + rows.rows() * rows.columns();
        if (before(to.data(), end) && before(rows.data(), to.data() + to.size())) {
            copy_ = rows;
            rows_ = &copy_;
        }
    }
    rows_to_read(const rows_to_read&) = delete;
    rows_to_read& operator=(const rows_to_read&) = delete;
    [[nodiscard]] const matrix<T>& operator*() const { return *rows_; }

private:
    matrix<T> copy_;
    const matrix<T>* rows_;
};
/// Calls use(x, directions). Of several directions, x is a copy: it is read again for each part of them.
template <list X, direction D, class Use>
void with_apart(const X& x, const D& directions, std::span<const number_of<X>> to, Use use) {
    using T = number_of<X>;
    if constexpr (is_matrix<D>)
        use(points::made<T>(x, [](const auto& v, std::size_t) { return static_cast<T>(v); }),
            *rows_to_read<T>(directions, to));
    else
        use(x, directions);
}

template <class F, list X, direction D>
void write_jvp(F& f, const X& at, const D& along, const memory_of<number_of<X>>& to) {
    points::with_apart(at, along, to, [&](const auto& x, const auto& directions) {
        const std::size_t rows = points::rows_of(directions);
        points::with_tangents(f, x, directions, [&](const auto& y, std::size_t first, std::size_t count) {
            const std::size_t results = points::size_of(y);
            if (first == 0) points::check_memory("jvp", rows, results, to);
            points::write_tangents(to.data() + first * results, y, count);
        });
    });
}

template <class F, list X, direction W>
void write_vjp(F& f, const X& x, const W& all_weights, const memory_of<number_of<X>>& to) {
    using T = number_of<X>;
    points::check_memory("vjp", points::rows_of(all_weights), points::size_of(x), to);
    const auto write = [&](const auto& weights) {
        points::with_weights(f, x, weights, [&](basic_tape<T>& on, const auto& at, const auto& y) {
            points::write_products(to.data(), on, at, y, weights);
        });
    };
    if constexpr (is_matrix<W>)
        write(*rows_to_read<T>(all_weights, to));
    else
        write(all_weights);
}

template <class F, list X, direction D>
void write_hvp(F& f, const X& at, const D& along, const memory_of<number_of<X>>& to) {
    using T = number_of<X>;
    const std::size_t size = points::size_of(at);
    points::check_memory("hvp", points::rows_of(along), size, to);
    points::with_apart(at, along, to, [&](const auto& x, const auto& directions) {
        points::with_second_derivatives("hvp", f, x, directions,
                                        [&](const T&, std::size_t first, std::size_t count, const auto& derivative) {
                                            for (std::size_t i = 0; i < size; ++i) {
                                                const auto& g = derivative(i);
                                                for (std::size_t k = 0; k < count; ++k)
                                                    to[(first + k) * size + i] = g.tangents[k];
                                            }
                                        });
    });
}

} // namespace chainrule::tape::points
