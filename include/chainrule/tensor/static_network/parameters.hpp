// SPDX-License-Identifier: BSL-1.0
//
// The weights of a static network, or derivatives with respect to them. Accessors use row-major order, layer by layer;
// memory has the layout of the products.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/static_network/layer.hpp>
#include <chainrule/tensor/storage/aligned_numbers.hpp>
#include <chainrule/tensor/storage/shape_text.hpp>

#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace chainrule::tensor::detail {

/// One number for each weight and bias of a network with these widths. Layer k has widths[k] x widths[k + 1] weights
/// (inputs x outputs) and widths[k + 1] biases.
template <class T, std::size_t... Widths>
class layer_parameters {
public:
    static constexpr std::array<std::size_t, sizeof...(Widths)> widths{Widths...};
    static constexpr std::size_t layers = sizeof...(Widths) - 1;

    template <std::size_t K>
    using layer_at = layer<T, widths[K], widths[K + 1]>;

private:
    // For each layer: where it begins, how wide a panel is, how many are whole, and how wide the last one is.
    struct place_of_panels {
        std::size_t width, whole, last_width, weights;
    };
    static constexpr std::array<std::size_t, layers + 1> starts = []<std::size_t... K>(std::index_sequence<K...>) {
        std::array<std::size_t, layers + 1> at{};
        constexpr std::size_t cache_line = 64 / sizeof(T);
        ((at[K + 1] = at[K] + (layer_at<K>::size + cache_line - 1) / cache_line * cache_line), ...);
        return at;
    }(std::make_index_sequence<layers>{});
    static constexpr std::array<place_of_panels, layers> layouts = []<std::size_t... K>(std::index_sequence<K...>) {
        return std::array<place_of_panels, layers>{
            place_of_panels{layer_at<K>::outputs::width, layer_at<K>::outputs::whole, layer_at<K>::outputs::last_width,
                            layer_at<K>::weights}...};
    }(std::make_index_sequence<layers>{});

public:
    /// All zero.
    layer_parameters() : numbers_(starts[layers]) {}

    /// The weights of a layer, one row per input. Throws std::out_of_range if there is no such layer.
    [[nodiscard]] std::vector<T> weights(std::size_t k) const {
        check_layer("weights", k);
        std::vector<T> rows(widths[k] * widths[k + 1]);
        each_weight(k, [&](std::size_t at, std::size_t i) { rows[i] = numbers_.data()[at]; });
        return rows;
    }
    [[nodiscard]] std::vector<T> biases(std::size_t k) const {
        check_layer("biases", k);
        const T* first = numbers_.data() + first_bias(k);
        return std::vector<T>(first, first + widths[k + 1]);
    }
    /// Sets the weights of a layer, one row per input. Throws std::invalid_argument if their number is wrong.
    void set_weights(std::size_t k, std::span<const T> rows) {
        check_layer("set_weights", k);
        check_count("set_weights", k, rows.size(), widths[k] * widths[k + 1], "weights",
                    storage::shape_text(std::array{widths[k], widths[k + 1]}));
        each_weight(k, [&](std::size_t at, std::size_t i) { numbers_.data()[at] = rows[i]; });
    }
    void set_biases(std::size_t k, std::span<const T> biases) {
        check_layer("set_biases", k);
        check_count("set_biases", k, biases.size(), widths[k + 1], "biases",
                    storage::shape_text(std::array{widths[k + 1]}));
        std::copy(biases.begin(), biases.end(), numbers_.data() + first_bias(k));
    }

    /// The weight from an input to an output. Throws std::out_of_range if it does not exist.
    [[nodiscard]] T weight(std::size_t k, std::size_t input, std::size_t output) const {
        check_layer("weight", k);
        check_place("weight", k, "input", input, widths[k]);
        check_place("weight", k, "output", output, widths[k + 1]);
        return known_weight(k, input, output);
    }
    [[nodiscard]] T bias(std::size_t k, std::size_t output) const {
        check_layer("bias", k);
        check_place("bias", k, "output", output, widths[k + 1]);
        return known_bias(k, output);
    }
    /// The same without checks.
    [[nodiscard]] T known_weight(std::size_t k, std::size_t input, std::size_t output) const {
        return numbers_.data()[place(k, input, output)];
    }
    [[nodiscard]] T known_bias(std::size_t k, std::size_t output) const {
        return numbers_.data()[first_bias(k) + output];
    }
    /// Throws std::logic_error if the numbers were moved from.
    void check_there(const char* call) const {
        if (numbers_.size() == 0)
            core::raise(std::logic_error(
                std::string(call) +
                ": the network was moved from and has no weights; assign another to it before it is used"));
    }

    /// The numbers of a layer in the layout of the products.
    template <std::size_t K>
    [[nodiscard]] T* of_layer() {
        return numbers_.data() + starts[K];
    }
    template <std::size_t K>
    [[nodiscard]] const T* of_layer() const {
        return numbers_.data() + starts[K];
    }
    [[nodiscard]] static constexpr std::size_t size() { return starts[layers]; }
    template <std::size_t K>
    static constexpr std::size_t start_of_layer = starts[K];

private:
    static std::size_t first_bias(std::size_t k) { return starts[k] + layouts[k].weights; }
    static std::size_t place(std::size_t k, std::size_t input, std::size_t output) {
        const auto& l = layouts[k];
        const std::size_t panel = output / l.width;
        return starts[k] + panel * l.width * widths[k] + input * (panel < l.whole ? l.width : l.last_width) +
               output % l.width;
    }
    template <class F>
    static void each_weight(std::size_t k, const F& f) {
        for (std::size_t i = 0; i < widths[k]; ++i)
            for (std::size_t j = 0; j < widths[k + 1]; ++j) f(place(k, i, j), i * widths[k + 1] + j);
    }
    void check_layer(const char* call, std::size_t k) const {
        check_there(call);
        if (k < layers) return;
        core::raise(std::out_of_range(std::string(call) + ": there is no layer " + given(k) + " in a network of " +
                                      std::to_string(layers) + "; they are numbered from 0"));
    }
    static void check_place(const char* call, std::size_t k, const char* what, std::size_t at, std::size_t size) {
        if (at < size) return;
        core::raise(std::out_of_range(std::string(call) + ": there is no " + what + ' ' + given(at) + " in layer " +
                                      std::to_string(k) + ", which has " + std::to_string(size) +
                                      "; they are numbered from 0"));
    }
    // An index of -1 arrives as 2^64 - 1.
    static std::string given(std::size_t number) { return std::to_string(static_cast<std::ptrdiff_t>(number)); }
    static void check_count(const char* call, std::size_t k, std::size_t count, std::size_t expected, const char* what,
                            const std::string& shape) {
        if (count == expected) return;
        core::raise(std::invalid_argument(std::string(call) + ": " + std::to_string(count) +
                                          " numbers are given for layer " + std::to_string(k) + ", whose " + what +
                                          " have the shape " + shape + "; pass " + std::to_string(expected) +
                                          " in row-major order"));
    }

    storage::aligned_numbers<T> numbers_;
};

} // namespace chainrule::tensor::detail
