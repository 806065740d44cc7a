// SPDX-License-Identifier: BSL-1.0
//
// Products of derivatives with directions and weights, of functions of one number: gradients and products by that
// number are numbers.
#pragma once

#include <chainrule/tape/derivatives/derivatives_at_points.hpp>

#include <array>
#include <utility>

namespace chainrule::tape::points {

/// A point and a direction: lists, or a number and one number.
template <class X, class D>
concept point_and_direction = (list_of_numbers<X> && direction<D>) || (number<X> && (number<D> || direction<D>));
template <class X, class W>
concept point_and_weights = (list_of_numbers<X> || number<X>) && (number<W> || direction<W>);

template <class X, class D>
[[nodiscard]] decltype(auto) as_direction(const D& direction) {
    if constexpr (number<D>) {
        using T = number_of<listed<X>>;
        return std::array<T, 1>{static_cast<T>(direction)};
    } else {
        return (direction);
    }
}
/// What is laid out as the point, for a number. Of several directions there is a matrix with a row for each.
template <class Laid>
[[nodiscard]] auto at_number(Laid&& laid) {
    if constexpr (is_matrix<std::remove_cvref_t<Laid>>)
        return std::forward<Laid>(laid);
    else
        return laid[0];
}

template <class F, number X, class D>
[[nodiscard]] auto value_and_jvp(F& f, const X& x, const D& direction) {
    return points::with_list(
        [&](auto& g, const auto& at) { return points::value_and_jvp(g, at, points::as_direction<X>(direction)); }, f,
        x);
}
template <class F, number X, class W>
[[nodiscard]] auto value_and_vjp(F& f, const X& x, const W& weights) {
    auto all = points::with_list([&](auto& g, const auto& at) { return points::value_and_vjp(g, at, weights); }, f, x);
    auto product = points::at_number(std::move(all.product));
    return value_and_product<decltype(all.value), decltype(product)>{std::move(all.value), std::move(product)};
}
template <class F, number X, class D>
[[nodiscard]] auto value_gradient_and_hvp(const char* call, F& f, const X& x, const D& direction) {
    auto all = points::with_list(
        [&](auto& g, const auto& at) {
            return points::value_gradient_and_hvp(call, g, at, points::as_direction<X>(direction));
        },
        f, x);
    auto gradient = points::at_number(std::move(all.gradient));
    auto product = points::at_number(std::move(all.product));
    return value_gradient_and_product<decltype(all.value), decltype(gradient), decltype(product)>{
        std::move(all.value), std::move(gradient), std::move(product)};
}

} // namespace chainrule::tape::points
