// SPDX-License-Identifier: BSL-1.0
//
// Saves and loads the weights of a static network in the .npz format of the equivalent layers (layers/layers.hpp),
// sequential(linear, relu, linear, ...): the same names and shapes, so either reads the files of the other.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/tensor/files/archive.hpp>
#include <chainrule/tensor/static_network/network.hpp>

namespace chainrule::tensor {

namespace detail {
/// The name in a file. Activations have numbers too, so linear layers have even numbers.
[[nodiscard]] inline std::string stored_name(std::size_t layer, const char* what) {
    return std::to_string(2 * layer) + '.' + what;
}
} // namespace detail

/// Writes the weights of a network to a .npz file. Throws archive_error; then an existing file is unchanged.
template <class T, class Activation, std::size_t... Widths>
void save(const std::filesystem::path& path, const basic_static_network<T, Activation, Widths...>& network) {
    using network_type = basic_static_network<T, Activation, Widths...>;
    archive weights;
    for (std::size_t k = 0; k < network_type::layers; ++k) {
        weights.add(detail::stored_name(k, "weights"), {network_type::widths[k], network_type::widths[k + 1]},
                    network.weights(k));
        weights.add(detail::stored_name(k, "bias"), {network_type::widths[k + 1]}, network.biases(k));
    }
    write_npz(path, weights);
}

/// Reads weights from a file of save(), or any .npz file with the same names and shapes. Throws archive_error if the
/// file is damaged or belongs to another network; then the network is unchanged.
template <class T, class Activation, std::size_t... Widths>
void load(const std::filesystem::path& path, basic_static_network<T, Activation, Widths...>& network) {
    using network_type = basic_static_network<T, Activation, Widths...>;
    constexpr auto& widths = network_type::widths;
    std::vector<std::vector<T>> numbers;
    std::vector<destination<T>> places;
    for (std::size_t k = 0; k < network_type::layers; ++k) {
        numbers.emplace_back(widths[k] * widths[k + 1]);
        places.push_back({detail::stored_name(k, "weights"), {widths[k], widths[k + 1]}, numbers.back()});
        numbers.emplace_back(widths[k + 1]);
        places.push_back({detail::stored_name(k, "bias"), {widths[k + 1]}, numbers.back()});
    }
    read_npz(path).copy_to(places);
    for (std::size_t k = 0; k < network_type::layers; ++k) {
        network.set_weights(k, numbers[2 * k]);
        network.set_biases(k, numbers[2 * k + 1]);
    }
}

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
