// SPDX-License-Identifier: BSL-1.0
//
// Functions of several arguments of which some are lists.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

template <class List>
using number_in = std::remove_cvref_t<decltype(std::declval<const List&>()[0])>;

/// A layer with a weight for each input, and a bias.
inline constexpr auto layer = [](const auto& weights, const auto& bias, const auto& inputs) {
    number_in<decltype(weights)> sum = bias;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * inputs[i] * inputs[i];
    return sum * sum * bias;
};
/// A list of results.
inline constexpr auto several = [](const auto& weights, const auto& bias) {
    std::vector<number_in<decltype(weights)>> results;
    for (const auto& w : weights) results.push_back(w * w * bias);
    results.push_back(bias * bias);
    return results;
};
