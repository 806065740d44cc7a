// SPDX-License-Identifier: BSL-1.0
//
// Products of derivatives with directions and weights, of functions at other points than one list: at a number, where
// gradients and products by it are numbers, and at lists of lists.
#pragma once

#include <chainrule/tape/derivatives/several_arguments.hpp>

#include <array>
#include <concepts>
#include <utility>

namespace chainrule::tape::points {

/// A point and a direction: lists, or a number and one number, or lists of lists.
template <class X, class D>
concept point_and_direction = (list_of_numbers<X> && direction<D>) ||
                              (number<X> && (std::convertible_to<D, number_of<listed<X>>> || direction<D>)) ||
                              (composite<X> && (composite<D> || direction<D>));
template <class X, class W>
concept point_and_weights = (list_of_numbers<X> || number<X> || composite<X>) && (number<W> || direction<W>);

template <class X, class D>
[[nodiscard]] decltype(auto) as_direction(const D& direction) {
    using T = number_of<listed<X>>;
    if constexpr (std::convertible_to<D, T>) {
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

/// A direction as one list.
template <class D>
[[nodiscard]] decltype(auto) in_one_list(const D& direction) {
    if constexpr (composite<D>)
        return points::joined(direction);
    else
        return (direction);
}
/// What is laid out as the point, for a list of lists.
template <class Laid, class X>
[[nodiscard]] auto in_lists(Laid&& laid, const X& like) {
    if constexpr (is_matrix<std::remove_cvref_t<Laid>>)
        return std::forward<Laid>(laid);
    else
        return points::in_parts(laid, like);
}

template <class F, class X, class D>
requires composite<X>
[[nodiscard]] auto value_and_jvp(F& f, const X& x, const D& direction) {
    of_parts<F&, const X&> of_list{f, {x}};
    return points::value_and_jvp(of_list, points::joined(x), points::in_one_list(direction));
}
template <class F, class X, class W>
requires composite<X>
[[nodiscard]] auto value_and_vjp(F& f, const X& x, const W& weights) {
    of_parts<F&, const X&> of_list{f, {x}};
    auto all = points::value_and_vjp(of_list, points::joined(x), weights);
    auto product = points::in_lists(std::move(all.product), x);
    return value_and_product<decltype(all.value), decltype(product)>{std::move(all.value), std::move(product)};
}
template <class F, class X, class D>
requires composite<X>
[[nodiscard]] auto value_gradient_and_hvp(const char* call, F& f, const X& x, const D& direction) {
    of_parts<F&, const X&> of_list{f, {x}};
    auto all = points::value_gradient_and_hvp(call, of_list, points::joined(x), points::in_one_list(direction));
    auto gradient = points::in_parts(all.gradient, x);
    auto product = points::in_lists(std::move(all.product), x);
    return value_gradient_and_product<decltype(all.value), decltype(gradient), decltype(product)>{
        std::move(all.value), std::move(gradient), std::move(product)};
}

} // namespace chainrule::tape::points
