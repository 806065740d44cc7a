// SPDX-License-Identifier: BSL-1.0
//
// What the tests of networks with static shapes share: networks of double, random numbers, and the weights of a network
// of plain loops.
#pragma once

#include "catch.hpp"
#include "plain_network.hpp"

#include <chainrule/tensor/static_network.hpp>

#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

namespace static_networks {

namespace tensor = chainrule::tensor;
namespace losses = chainrule::tensor::losses;

template <std::size_t... Widths>
using relu_double = tensor::basic_static_network<double, tensor::activations::relu, Widths...>;
template <std::size_t... Widths>
using tanh_double = tensor::basic_static_network<double, tensor::activations::tanh, Widths...>;

template <class T>
std::vector<T> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937 dice(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    std::vector<T> numbers(count);
    for (T& x : numbers) x = static_cast<T>(any(dice));
    return numbers;
}

template <class Network>
constexpr bool has_relu = std::is_same_v<typename Network::activation, tensor::activations::relu>;

template <class Network>
auto plain_of(unsigned seed) {
    return plain::network<typename Network::number>({Network::widths.begin(), Network::widths.end()}, has_relu<Network>,
                                                    seed);
}
template <class Network, class T>
void take_weights(Network& network, const plain::network<T>& from) {
    for (std::size_t k = 0; k < from.layers(); ++k) {
        network.set_weights(k, from.weights[k]);
        network.set_biases(k, from.biases[k]);
    }
}

template <class T>
double largest_difference(const std::vector<T>& a, const std::vector<T>& b) {
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        largest = difference <= largest ? largest : difference; // NaN is largest
    }
    return largest;
}

} // namespace static_networks
