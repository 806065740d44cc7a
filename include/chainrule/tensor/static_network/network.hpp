// SPDX-License-Identifier: BSL-1.0
//
// Fully connected networks whose shapes are known at compile time. Biases, activations, their derivatives and the
// update of the weights are fused into the matrix products.
#pragma once

#include <chainrule/core/names_begin.inc>

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/kernels/product_kernel.hpp>
#include <chainrule/tensor/static_network/activations.hpp>
#include <chainrule/tensor/static_network/generic_forward.hpp>
#include <chainrule/tensor/static_network/layer.hpp>
#include <chainrule/tensor/static_network/losses.hpp>
#include <chainrule/tensor/static_network/panels.hpp>
#include <chainrule/tensor/static_network/parameters.hpp>
#include <chainrule/tensor/storage/aligned_numbers.hpp>
#include <chainrule/tensor/training/optimisers.hpp>
#include <chainrule/tensor/training/random.hpp>

#include <cstdint>

namespace chainrule::tensor {

/// A fully connected network. Widths are the numbers of inputs, units of each hidden layer, and outputs. Layer k
/// computes y = x W + b; the activation follows all layers but the last. T is float or double.
///
/// A batch is any number of rows, one after another. A step allocates memory only if the batch is larger than all
/// before. With the same compiler options results are the same, bit for bit: an output is the sum of x_i W(i, j) with
/// ascending i from 0, plus b_j; a derivative with respect to a weight is the sum over the rows of the batch in their
/// order; a derivative with respect to an activation is the sum over the outputs in ascending order.
///
/// A network must be used by one thread at a time; copies are independent. A moved-from network has no weights:
/// functions that need them throw std::logic_error until another network is assigned.
///
/// Example: `static_network<784, 128, 10> n(1); static_network<784, 128, 10>::sgd by(0.1f); float loss =
/// n.train_step(images, labels, by);`
template <class T, class Activation, std::size_t... Widths>
class basic_static_network {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "basic_static_network: the number type is neither float nor double; use one of them");
    static_assert(sizeof...(Widths) >= 2 && (true && ... && (Widths > 0)),
                  "basic_static_network: there are fewer than two widths, or one is 0; list all widths from input "
                  "to output, as in <784, 128, 10>");

public:
    using number = T;
    using activation = Activation;
    using parameters = detail::layer_parameters<T, Widths...>; ///< all weights and biases
    using sgd = optimisers::sgd<T>;                            ///< for train_step()
    using adam = optimisers::adam<T>;                          ///< for train_step()

    static constexpr auto widths = parameters::widths; ///< one more than there are layers
    static constexpr std::size_t layers = parameters::layers, inputs = widths.front(), outputs = widths.back();

    /// Draws weights by he_normal (training/random.hpp) from a generator with this seed, layer by layer, like
    /// layers::linear. Biases are 0.
    explicit basic_static_network(std::uint64_t seed = 1) {
        generator random(seed);
        for (std::size_t k = 0; k < layers; ++k) {
            std::vector<T> rows(widths[k] * widths[k + 1]);
            he_normal(rows, widths[k], random);
            parameters_.set_weights(k, rows);
        }
    }

    // Weights
    // ------------------------------------------------------------------------------------------------------------

    /// The weights of a layer: widths[k] rows of widths[k + 1] numbers, one row after another. Throws std::out_of_range
    /// if there is no such layer.
    [[nodiscard]] std::vector<T> weights(std::size_t k) const { return parameters_.weights(k); }
    /// The biases of a layer. Throws std::out_of_range if there is no such layer.
    [[nodiscard]] std::vector<T> biases(std::size_t k) const { return parameters_.biases(k); }
    /// Sets the weights of a layer, in that order. Throws std::invalid_argument if their number is wrong.
    void set_weights(std::size_t k, std::span<const T> rows) { parameters_.set_weights(k, rows); }
    /// Sets the biases of a layer. Throws std::invalid_argument if their number is wrong.
    void set_biases(std::size_t k, std::span<const T> biases) { parameters_.set_biases(k, biases); }
    /// A single weight. Throws std::out_of_range if it does not exist.
    [[nodiscard]] T weight(std::size_t k, std::size_t input, std::size_t output) const {
        return parameters_.weight(k, input, output);
    }
    /// A single bias. Throws std::out_of_range if it does not exist.
    [[nodiscard]] T bias(std::size_t k, std::size_t output) const { return parameters_.bias(k, output); }
    /// All weights and biases, in the layout of the products.
    [[nodiscard]] const parameters& all_parameters() const { return parameters_; }

    // Use
    // ----------------------------------------------------------------------------------------------------------------

    /// Computes the outputs for rows of inputs, row by row. Throws std::invalid_argument if the sizes do not match.
    void forward(std::span<const T> rows, std::span<T> results) {
        const std::size_t count = rows_in("forward", rows.size());
        if (results.size() != count * outputs)
            core::raise(std::invalid_argument("forward: " + std::to_string(count) + " rows have " +
                                              std::to_string(count * outputs) + " outputs, and there is place for " +
                                              std::to_string(results.size()) + "; pass a span of that size"));
        each_piece(rows, count, [&](std::size_t first, std::size_t b, std::size_t j, T y) {
            results[(first + b) * outputs + j] = y;
        });
    }
    [[nodiscard]] std::vector<T> forward(std::span<const T> rows) {
        std::vector<T> results(rows_in("forward", rows.size()) * outputs);
        forward(rows, results);
        return results;
    }
    /// The class of each row: its first largest output. With a single output +1 if it is positive, otherwise -1.
    [[nodiscard]] std::vector<int> predict(std::span<const T> rows) {
        std::vector<int> classes(rows_in("predict", rows.size()));
        T largest = 0;
        each_piece(rows, classes.size(), [&](std::size_t first, std::size_t b, std::size_t j, T y) {
            if constexpr (outputs == 1) {
                classes[first + b] = y > 0 ? 1 : -1;
            } else if (j == 0 || y > largest) {
                largest = y;
                classes[first + b] = static_cast<int>(j);
            }
        });
        return classes;
    }

    // Training
    // -----------------------------------------------------------------------------------------------------------

    /// One training step on a batch: forward, loss, backward, update. `labels` has one integer per row, or, for
    /// losses::mean_squared, a row of numbers. Returns the loss before the update. Throws std::invalid_argument if
    /// sizes do not match or a label is invalid; then the network is unchanged.
    template <class Labels, class Optimiser, class Loss = losses::cross_entropy>
    T train_step(std::span<const T> rows, const Labels& labels, Optimiser& optimiser, Loss = {}) {
        check_activation();
        const T loss = forward_and_loss<Loss>("train_step", rows, std::span(labels));
        optimiser.step(parameters_.template of_layer<0>(), parameters::size(),
                       [&](const auto& update) { backward(rows.data(), update); });
        return loss;
    }
    /// Returns the loss on a batch and overwrites `derivatives` with its derivatives with respect to all weights and
    /// biases. Throws like train_step().
    template <class Labels, class Loss = losses::cross_entropy>
    T gradient(std::span<const T> rows, const Labels& labels, parameters& derivatives, Loss = {}) {
        check_activation();
        derivatives.check_there("gradient");
        const T loss = forward_and_loss<Loss>("gradient", rows, std::span(labels));
        backward(rows.data(), training::store_derivatives<T>{derivatives.template of_layer<0>()});
        return loss;
    }
    /// The loss on a batch. Throws like train_step().
    template <class Labels, class Loss = losses::cross_entropy>
    [[nodiscard]] T loss(std::span<const T> rows, const Labels& labels, Loss = {}) {
        return forward_and_loss<Loss>("loss", rows, std::span(labels));
    }

private:
    // Where the user calls it, so that compilers print few lines of context.
    static consteval void check_activation() {
        if constexpr (requires { Activation::template check_derivative<T>; })
            Activation::template check_derivative<T>();
    }

    template <std::size_t K>
    using layer_at = typename parameters::template layer_at<K>;
    template <std::size_t K>
    using values_of = detail::paneled_rows<T, widths[K]>;

    // The derivative with respect to the weights reads rows with strides, so long rows are copied into panels first.
    static constexpr bool copies_inputs = inputs > 64;

    // Numbers a row takes in the workspace before the results of layer k - 1; what is copied of the inputs is number 0,
    // and the derivatives with respect to the results follow all results.
    static constexpr std::array<std::size_t, layers + 2> places = []<std::size_t... K>(std::index_sequence<K...>) {
        std::array<std::size_t, layers + 2> at{};
        at[1] = copies_inputs ? detail::panels<T, inputs>::padded : 0;
        ((at[K + 2] = at[K + 1] + detail::panels<T, widths[K + 1]>::padded), ...);
        return at;
    }(std::make_index_sequence<layers>{});
    static constexpr std::size_t numbers_of_row = 2 * places[layers + 1] - places[1];
    static constexpr std::size_t scratch = []<std::size_t... K>(std::index_sequence<K...>) {
        return std::max({layer_at<K>::scratch...});
    }(std::make_index_sequence<layers>{});

    template <std::size_t K>
    values_of<K> results() {
        return {workspace_.data() + scratch + places[K] * batch_, batch_};
    }
    template <std::size_t K>
    values_of<K> by_results() {
        return {workspace_.data() + scratch + (places[layers + 1] + places[K] - places[1]) * batch_, batch_};
    }

    void use_batch(std::size_t batch) {
        if (batch == batch_) return;
        const std::size_t needed = scratch + batch * numbers_of_row;
        if (needed > workspace_.size()) workspace_ = storage::aligned_numbers<T>(needed);
        batch_ = batch;
        const auto last = by_results<layers>(); // the loss does not write the padding
        std::fill_n(last.data, detail::panels<T, outputs>::padded * batch, T(0));
    }

    std::size_t rows_in(const char* call, std::size_t numbers) const {
        parameters_.check_there(call);
        if (numbers % inputs == 0) return numbers / inputs;
        core::raise(std::invalid_argument(std::string(call) + ": " + std::to_string(numbers) +
                                          " numbers do not fill rows of " + std::to_string(inputs) +
                                          ", the width of the input; pass complete rows"));
    }

    /// The input of layer K: the rows of the caller, a copy of them, or a result.
    template <std::size_t K>
    [[gnu::always_inline]] auto input_of(const T* rows) {
        if constexpr (K == 0 && !copies_inputs)
            return detail::plain_rows<T, inputs>{rows};
        else
            return results<K>();
    }

    template <std::size_t K>
    void forward_layer(const T* rows) {
        using applied = std::conditional_t<K + 1 == layers, detail::no_activation, Activation>;
        const auto x = input_of<K>(rows);
        detail::call<layer_at<K>::is_small, &layer_at<K>::template forward<applied, std::remove_const_t<decltype(x)>>>(
            batch_, x, parameters_.template of_layer<K>(), results<K + 1>());
    }

    void forward_piece(const T* rows) {
        if constexpr (copies_inputs) {
            const auto copy = results<0>();
            detail::panels<T, inputs>::each([&](std::size_t column, auto across, auto used) {
                constexpr std::size_t w = across() * detail::panels<T, inputs>::lanes;
                T* to = copy.data + column * batch_;
                for (std::size_t b = 0; b < batch_; ++b) std::copy_n(rows + b * inputs + column, used(), to + b * w);
            });
        }
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            (forward_layer<K>(rows), ...);
        }(std::make_index_sequence<layers>{});
    }

    template <class F>
    void each_piece(std::span<const T> rows, std::size_t count, const F& f) {
        constexpr std::size_t most = 128; // so that a long batch needs no larger workspace
        for (std::size_t first = 0; first < count; first += most) {
            use_batch(std::min(most, count - first));
            forward_piece(rows.data() + first * inputs);
            const auto last = results<layers>();
            for (std::size_t b = 0; b < batch_; ++b)
                for (std::size_t j = 0; j < outputs; ++j)
                    f(first, b, j, last.data[detail::panels<T, outputs>::offset(batch_, b, j)]);
        }
    }

    template <class Loss, class Label, std::size_t Extent>
    T forward_and_loss(const char* call, std::span<const T> rows, std::span<Label, Extent> labels) {
        const std::size_t batch = rows_in(call, rows.size()), expected = batch * Loss::labels_of_row(outputs);
        if (batch == 0)
            core::raise(std::invalid_argument(std::string(call) + ": the batch has no rows; pass at least one"));
        if (labels.size() != expected)
            core::raise(std::invalid_argument(std::string(call) + ": " + std::to_string(labels.size()) +
                                              " labels are given for " + std::to_string(batch) + " rows; pass " +
                                              std::to_string(expected)));
        Loss::template check<outputs>(call, labels.data(), labels.size());
        use_batch(batch);
        forward_piece(rows.data());
        return Loss::evaluate(results<layers>(), labels.data(), batch, by_results<layers>());
    }

    /// Passes all derivatives to an update, the last layer first.
    template <class Update>
    void backward(const T* rows, const Update& update) {
        [&]<std::size_t... FromLast>(std::index_sequence<FromLast...>) {
            (backward_layer<layers - 1 - FromLast>(rows, update), ...);
        }(std::make_index_sequence<layers>{});
    }
    template <std::size_t K, class Update>
    void backward_layer(const T* rows, const Update& update) {
        using this_layer = layer_at<K>;
        if constexpr (K > 0)
            detail::call<this_layer::is_small, &this_layer::template backward<Activation>>(
                batch_, by_results<K + 1>(), parameters_.template of_layer<K>(), results<K>(), by_results<K>(),
                workspace_.data());
        const auto x = input_of<K>(rows);
        using shifted = detail::shifted_update<Update>;
        detail::call<this_layer::is_small, &this_layer::template update<std::remove_const_t<decltype(x)>, shifted>>(
            batch_, x, by_results<K + 1>(), shifted{update, parameters::template start_of_layer<K>});
    }

    parameters parameters_;
    storage::aligned_numbers<T> workspace_;
    std::size_t batch_ = 0;
};

/// A network of float with relu between the layers. Example: `static_network<784, 128, 10> network;`
template <std::size_t... Widths>
using static_network = basic_static_network<float, activations::relu, Widths...>;

} // namespace chainrule::tensor

#include <chainrule/core/names_end.inc>
