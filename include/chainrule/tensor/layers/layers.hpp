// SPDX-License-Identifier: BSL-1.0
//
// Layers: functions of a tensor that own their weights, chained by sequential(). parameters(), save() and load() visit
// the weights by name.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/files/archive.hpp>
#include <chainrule/tensor/graph/backward.hpp>
#include <chainrule/tensor/operations/conditions.hpp>
#include <chainrule/tensor/operations/convolution.hpp>
#include <chainrule/tensor/training/random.hpp>

#include <filesystem>
#include <string>
#include <tuple>

namespace chainrule::tensor {

/// Sets each element of x to 0 with a probability and divides the others by 1 - probability, which preserves the mean.
/// N. Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", 2014. Throws
/// std::invalid_argument unless 0 <= probability < 1.
template <std::floating_point T>
[[nodiscard]] tensor<T> dropout(const tensor<T>& x, double probability, generator& random) {
    if (!(probability >= 0 && probability < 1))
        core::raise(std::invalid_argument(
            storage::sentence("dropout: probability ", probability, "; give a number from 0 to below 1")));
    tensor<bool> kept = empty<bool>(x.shape());
    for (index i = 0; i < kept.count(); ++i) kept.node().numbers[i] = !(random.uniform() < probability);
    // Not a product with 0, which an infinite element would make NaN.
    return where(kept, x * static_cast<T>(1 / (1 - probability)), 0);
}

/// Layers: functions of a tensor that own their weights, which collect gradients.
namespace layers {

/// The initialisation of weights: He et al. before a relu, Glorot and Bengio (Xavier) before tanh, sigmoid or nothing.
enum class start { he_normal, he_uniform, xavier_normal, xavier_uniform };

namespace detail {

/// Random weights of a shape, for sums of as many terms as `fan_in` has elements; `call` is named in errors.
template <std::floating_point T>
[[nodiscard]] tensor<T> initial_weights(const char* call, const extents& shape, const extents& fan_in,
                                        const extents& fan_out, start from, generator& random) {
    tensor<T> weights = graph::filled<T>(call, shape, T(0));
    const std::span<T> numbers(weights.node().numbers, static_cast<std::size_t>(weights.count()));
    const auto in = static_cast<std::size_t>(fan_in.count(call)), out = static_cast<std::size_t>(fan_out.count(call));
    switch (from) {
    case start::he_normal: he_normal(numbers, in, random); break;
    case start::he_uniform: he_uniform(numbers, in, random); break;
    case start::xavier_normal: xavier_normal(numbers, in, out, random); break;
    case start::xavier_uniform: xavier_uniform(numbers, in, out, random); break;
    }
    weights.requires_grad(true);
    return weights;
}

/// The number type of the first layer that has weights.
template <class... Layers>
struct number_of {
    using type = void;
};
template <class First, class... Rest>
struct number_of<First, Rest...> : number_of<Rest...> {};
template <class First, class... Rest>
requires requires { typename First::value_type; }
struct number_of<First, Rest...> {
    using type = typename First::value_type;
};

} // namespace detail

/// x W + b for x of shape (..., in), with W, the weights, of shape (in, out) and b, the bias, of shape (out,),
/// initially zeros.
template <std::floating_point T>
struct linear {
    using value_type = T;
    tensor<T> weights, bias;

    linear(index in, index out, generator& random, start from = start::he_normal)
        : weights(detail::initial_weights<T>("layers::linear", {in, out}, {in}, {out}, from, random)),
          bias(zeros<T>({out})) {
        bias.requires_grad(true);
    }
    [[nodiscard]] tensor<T> operator()(const tensor<T>& x) const { return chainrule::tensor::linear(x, weights, bias); }
    /// Calls see(name, tensor) for the weights and the bias.
    template <class Visit>
    void visit(Visit see) {
        see("weights", weights);
        see("bias", bias);
    }
};

/// conv2d with kernels of shape (out, in, size, size) and a bias of shape (out,), initially zeros.
template <std::floating_point T>
struct convolution {
    using value_type = T;
    tensor<T> kernels, bias;
    window moving; ///< stride and padding

    convolution(index in, index out, index size, generator& random, window its_moving = {},
                start from = start::he_normal)
        : kernels(detail::initial_weights<T>("layers::convolution", {out, in, size, size}, {in, size, size},
                                             {out, size, size}, from, random)),
          bias(zeros<T>({out})), moving(its_moving) {
        bias.requires_grad(true);
    }
    [[nodiscard]] tensor<T> operator()(const tensor<T>& x) const { return conv2d(x, kernels, bias, moving); }
    /// Calls see(name, tensor) for the kernels and the bias.
    template <class Visit>
    void visit(Visit see) {
        see("kernels", kernels);
        see("bias", bias);
    }
};

/// max_pool2d with windows of size x size.
struct max_pool {
    index size;
    template <class T>
    [[nodiscard]] tensor<T> operator()(const tensor<T>& x) const {
        return max_pool2d(x, size);
    }
};

/// Joins all axes but the first: (n, a, b) becomes (n, a * b).
struct flatten {
    template <class T>
    [[nodiscard]] tensor<T> operator()(const tensor<T>& x) const {
        if (x.rank() == 0) core::raise(shape_error("flatten: a scalar has no rows; give a tensor of rank 1 or more"));
        index row = 1; // where there are no rows, too
        for (std::size_t axis = 1; axis < x.rank(); ++axis) row *= x.shape()[axis];
        return reshape(x, {x.size(0), row});
    }
};

/// Any function of the table or custom function (chainrule/custom_function.hpp), element by element:
/// `layers::activation<functions::tanh>{}`.
template <class Row>
struct activation {
    template <class T>
    [[nodiscard]] tensor<T> operator()(const tensor<T>& x) const {
        return operations::apply<operations::of_table<typename functions::row_of<Row>::type>>(x);
    }
};
/// The hyperbolic tangent of each element.
using tanh = activation<functions::tanh>;
/// 1 / (1 + exp(-x)) of each element x.
using sigmoid = activation<functions::sigmoid>;

/// max(0, x), in the memory of the preceding product if there is one.
struct relu {
    template <class T>
    [[nodiscard]] tensor<T> operator()(tensor<T> x) const {
        return chainrule::tensor::relu(std::move(x));
    }
};

/// dropout() during training, the identity otherwise. It draws from a generator of its own, whose seed it takes from
/// the one that is given.
class dropout {
public:
    dropout(double probability, generator& random) : probability_(probability), random_(random()) {}
    template <class T>
    [[nodiscard]] tensor<T> operator()(const tensor<T>& x) {
        return training_ ? chainrule::tensor::dropout(x, probability_, random_) : x;
    }
    /// Switches between training (the default), when elements are dropped, and testing.
    void training(bool whether) { training_ = whether; }

private:
    double probability_;
    generator random_;
    bool training_ = true;
};

/// Chained layers; a layer itself. The names of weights begin with the number of the layer: "0.weights". Use braces:
/// they guarantee that layers draw their initial weights from left to right. Example: `layers::sequential
/// net{layers::linear<float>(784, 128, random), layers::relu{}, layers::linear<float>(128, 10, random)};`
template <class... Layers>
class sequential {
public:
    using value_type = typename detail::number_of<Layers...>::type;
    static_assert((std::same_as<typename detail::number_of<Layers, linear<value_type>>::type, value_type> && ...),
                  "sequential: the layers have numbers of several types; make all of one, as linear<float>");

    explicit sequential(Layers... its_layers) : layers_(std::move(its_layers)...) {}

    [[nodiscard]] tensor<value_type> operator()(tensor<value_type> x) {
        std::apply([&x](auto&... layer) { ((x = layer(std::move(x))), ...); }, layers_);
        return x;
    }
    /// Layer number k.
    template <std::size_t K>
    [[nodiscard]] auto& layer() noexcept {
        return std::get<K>(layers_);
    }
    /// Calls see(name, tensor) for all weights.
    template <class Visit>
    void visit(Visit see) {
        std::size_t k = 0;
        const auto each = [&](auto& layer) {
            const std::string number = std::to_string(k++) + '.';
            if constexpr (requires { layer.visit([](const char*, tensor<value_type>&) {}); })
                layer.visit([&](const std::string& name, tensor<value_type>& weights) { see(number + name, weights); });
        };
        std::apply([&](auto&... layer) { (each(layer), ...); }, layers_);
    }
    /// Switches layers such as dropout between training (the default) and testing.
    void training(bool whether) {
        std::apply([&](auto&... layer) { (set_training(layer, whether), ...); }, layers_);
    }

private:
    template <class Layer>
    static void set_training(Layer& layer, bool whether) {
        if constexpr (requires { layer.training(whether); }) layer.training(whether);
    }
    std::tuple<Layers...> layers_;
};

} // namespace layers

/// The weights of a network or layer, with their names.
template <class Network>
[[nodiscard]] std::vector<std::pair<std::string, tensor<typename Network::value_type>>> parameters(Network& network) {
    std::vector<std::pair<std::string, tensor<typename Network::value_type>>> all;
    network.visit([&](const std::string& name, tensor<typename Network::value_type>& weights) {
        all.emplace_back(name, weights);
    });
    return all;
}

/// Writes the weights of a network to a .npz file, one array per name. Throws archive_error; then an existing file is
/// unchanged.
template <class Network>
requires requires { typename Network::value_type; }
void save(const std::filesystem::path& path, Network& network) {
    archive weights;
    for (const auto& [name, numbers] : parameters(network))
        weights.add(name, {numbers.shape().begin(), numbers.shape().end()}, numbers.values());
    write_npz(path, weights);
}

/// Reads weights from a file of save(), or any .npz file with the same names and shapes. Throws archive_error if the
/// file is damaged or belongs to another network, gradient_error for weights that were computed from others, and
/// shape_error for a view that repeats numbers; then the network is unchanged.
template <class Network>
requires requires { typename Network::value_type; }
void load(const std::filesystem::path& path, Network& network) {
    using T = typename Network::value_type;
    const archive file = read_npz(path);
    auto weights = parameters(network);
    std::vector<std::vector<T>> loaded;
    std::vector<destination<T>> places;
    loaded.reserve(weights.size());
    for (const auto& [name, numbers] : weights) {
        loaded.emplace_back(static_cast<std::size_t>(numbers.count()));
        places.push_back({name, {numbers.shape().begin(), numbers.shape().end()}, loaded.back()});
    }
    file.copy_to(places);
    const no_grad unrecorded;
    for (const auto& [name, numbers] : weights) numbers.check_change("load"); // before the first one is written
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto& numbers = weights[i].second;
        numbers.before_change("load");
        kernels::copy(numbers.shape(), numbers.node().numbers, numbers.strides(), loaded[i].data(),
                      storage::dense_strides(numbers.shape()));
    }
}

} // namespace chainrule::tensor
