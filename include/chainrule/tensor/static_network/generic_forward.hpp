// SPDX-License-Identifier: BSL-1.0
//
// The forward pass of a static network on numbers of any kind, with the weights as constants: expressions, duals,
// active numbers.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

namespace chainrule::tensor {

namespace detail {

/// An output of layer K: the sum of x_i W(i, j) with ascending i, then b_j.
template <std::size_t K, std::size_t J, class Network, class First, class... Rest>
constexpr auto sum_of_layer(const Network& network, const First& first, const Rest&... rest) {
    std::size_t i = 0;
    const auto weighted = [&](const auto& x) { return x * network.all_parameters().known_weight(K, i++, J); };
    // Left to right, one type for each partial sum.
    const auto sum = [&](auto&& self, const auto& so_far, const auto&... more) {
        if constexpr (sizeof...(more) == 0)
            return so_far;
        else
            return [&](const auto& next, const auto&... others) {
                return self(self, so_far + weighted(next), others...);
            }(more...);
    };
    return sum(sum, weighted(first), rest...) + network.all_parameters().known_bias(K, J);
}

template <std::size_t K, class Network, class... X>
constexpr auto from_layer(const Network& network, const X&... x) {
    using activation = typename Network::activation;
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
        if constexpr (K + 1 == Network::layers)
            return std::tuple(sum_of_layer<K, J>(network, x...)...);
        else
            return from_layer<K + 1>(network, activation::of(sum_of_layer<K, J>(network, x...))...);
    }(std::make_index_sequence<Network::widths[K + 1]>{});
}

} // namespace detail

/// The outputs for one row of inputs of any kind: expressions, duals, active or plain numbers. Returns a single output
/// as it is and several as a std::tuple. For small networks: each operation becomes part of the expression. Example:
/// `auto f = forward(network, x, y); auto fx = chainrule::derivative(f, x);`
template <class Network, class... X>
[[nodiscard]] constexpr auto forward(const Network& network, const X&... x) {
    static_assert(sizeof...(X) == Network::widths.front(),
                  "forward: the number of inputs is not the first width of the network; pass one number per input");
    network.all_parameters().check_there("forward");
    if constexpr (Network::widths.back() == 1)
        return std::get<0>(detail::from_layer<0>(network, x...));
    else
        return detail::from_layer<0>(network, x...);
}

/// The outputs for one row of inputs of one type, such as duals or active numbers, for networks of any size.
template <class Network, class Number, std::size_t In>
[[nodiscard]] auto forward(const Network& network, const std::array<Number, In>& x) {
    static_assert(In == Network::widths.front(),
                  "forward: the number of inputs is not the first width of the network; pass one number per input");
    const auto& weights = network.all_parameters();
    weights.check_there("forward");
    const auto from = [&]<std::size_t K, std::size_t Width>(const auto& self, std::integral_constant<std::size_t, K>,
                                                            const std::array<Number, Width>& inputs) {
        std::array<Number, Network::widths[K + 1]> outputs;
        for (std::size_t j = 0; j < outputs.size(); ++j) {
            Number sum = inputs[0] * weights.known_weight(K, 0, j);
            for (std::size_t i = 1; i < Width; ++i) sum = sum + inputs[i] * weights.known_weight(K, i, j);
            outputs[j] = sum + weights.known_bias(K, j);
        }
        if constexpr (K + 1 == Network::layers) {
            return outputs;
        } else {
            for (Number& y : outputs) y = Number(Network::activation::of(y));
            return self(self, std::integral_constant<std::size_t, K + 1>{}, outputs);
        }
    };
    return from(from, std::integral_constant<std::size_t, 0>{}, x);
}

} // namespace chainrule::tensor
