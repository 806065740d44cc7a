// SPDX-License-Identifier: BSL-1.0
//
// The optimiser, which applies an update rule (training/optimisers.hpp) to tensors in place, and accuracy().
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/layers/layers.hpp>
#include <chainrule/tensor/training/optimisers.hpp>

#include <algorithm>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <ranges>
#include <span>

namespace chainrule::tensor {

/// Trains tensors with an update rule. Tensors without a gradient since zero_grad() are not changed. Example:
/// `optimiser training(parameters(net), optimisers::sgd<float>(0.1f)); training.minimise(loss);`
template <std::floating_point T, class Rule>
class optimiser {
    static_assert(
        !requires(Rule& rule) { rule.rate; } || requires(Rule& rule) { requires std::same_as<decltype(rule.rate), T>; },
        "optimiser: the rule computes in another type than that of the tensors; write "
        "optimisers::sgd<float>(0.1f) for tensors of float");

public:
    /// Throws gradient_error if a tensor is not a leaf or does not collect gradients, shape_error if it is a view with
    /// gaps, and std::invalid_argument if two have numbers in common, such as a tensor given twice. A network that
    /// uses a layer twice names its weights twice; they are trained once.
    optimiser(const std::vector<std::pair<std::string, tensor<T>>>& weights, const Rule& rule) {
        for (const auto& [name, numbers] : weights) {
            const bool is_known = std::any_of(
                all_.begin(), all_.end(), [&](const trained& each) { return &each.numbers.node() == &numbers.node(); });
            if (!is_known) add(name, numbers, rule);
        }
    }
    /// Of a list of tensors, such as a std::vector or std::span.
    template <std::ranges::input_range Tensors>
    requires std::same_as<std::ranges::range_value_t<Tensors>, tensor<T>>
    optimiser(const Tensors& weights, const Rule& rule) {
        for (const tensor<T>& numbers : weights) add("a tensor", numbers, rule);
    }
    optimiser(std::initializer_list<tensor<T>> weights, const Rule& rule)
        : optimiser(std::span<const tensor<T>>(weights), rule) {}
    /// Of one tensor.
    optimiser(const tensor<T>& weights, const Rule& rule) : optimiser({weights}, rule) {}

    /// Clears the gradients of all tensors.
    void zero_grad() noexcept {
        for (trained& each : all_) each.numbers.zero_grad();
    }
    /// Updates every tensor once; if it throws, none has changed.
    void step() {
        if (!prepared_) prepare();
        for (trained& each : all_) {
            if (!each.numbers.has_grad()) continue;
            graph::node<T>& weights = each.numbers.node();
            ++weights.values->version;
            const std::span<T> numbers(weights.numbers, static_cast<std::size_t>(weights.count));
            const T* const gradient = weights.gradient_numbers();
            each.rule.step(numbers.data(), numbers.size(), [&](const auto& update) {
                constexpr std::size_t width = kernels::native_lanes<T>;
                std::size_t i = 0;
                for (; i + width <= numbers.size(); i += width) update(i, kernels::load<width>(gradient + i));
                for (; i < numbers.size(); ++i) update(i, kernels::load<1>(gradient + i));
            });
        }
    }
    /// One step: zero_grad(), loss.backward() and step(). With plain gradient descent the product that computes the
    /// gradient of a tensor also updates the tensor, and the gradient is not kept. If it throws, no tensor has changed.
    void minimise(const tensor<T>& loss) {
        if (!prepared_) prepare();
        zero_grad();
        if constexpr (requires(const Rule& rule) { rule.descent(); })
            for (trained& each : all_) each.numbers.node().descent = -each.rule.descent();
        struct restore {
            std::vector<trained>& all;
            ~restore() {
                for (trained& each : all) each.numbers.node().descent = T(0);
            }
        };
        {
            const restore collecting_again{all_};
            loss.backward();
        }
        step();
    }
    /// Sets the learning rate, for example from a schedule: `training.rate(schedule(step))`.
    void rate(double rate) noexcept {
        for (trained& each : all_) each.rule.rate = static_cast<T>(rate);
    }

private:
    struct trained {
        tensor<T> numbers;
        Rule rule; // what it remembers of earlier steps is of this tensor
    };
    void add(const std::string& name, const tensor<T>& numbers, const Rule& rule) {
        if (!numbers.requires_grad() || !numbers.node().leaf())
            core::raise(gradient_error(
                storage::sentence("optimiser: ", name, " of shape ", numbers.shape(),
                                  numbers.node().leaf() ? " does not collect gradients" : " was computed from others",
                                  "; give leaves after requires_grad(true)")));
        if (!numbers.contiguous())
            core::raise(shape_error(
                storage::sentence("optimiser: ", name, " of shape ", numbers.shape(),
                                  " is a view with gaps; give detach().clone() after requires_grad(true)")));
        for (const trained& each : all_)
            if (have_common_numbers(each.numbers.node(), numbers.node()))
                core::raise(std::invalid_argument(storage::sentence(
                    "optimiser: ", name, " of shape ", numbers.shape(), " shares numbers with tensor ",
                    &each - all_.data(),
                    " of the list, counted from 0, so that each step would change them twice; give each tensor once")));
        all_.push_back({numbers, rule});
    }
    /// Of contiguous nodes. Parts of one buffer may have none in common.
    static bool have_common_numbers(const graph::node<T>& a, const graph::node<T>& b) noexcept {
        const std::less<const T*> before;
        return a.count != 0 && b.count != 0 && before(a.numbers, b.numbers + b.count) &&
               before(b.numbers, a.numbers + a.count);
    }
    /// Takes the memory of all rules before the first tensor changes.
    void prepare() {
        if constexpr (requires(Rule& rule) { rule.prepare(std::size_t{}); })
            for (trained& each : all_) each.rule.prepare(static_cast<std::size_t>(each.numbers.count()));
        prepared_ = true;
    }
    std::vector<trained> all_;
    bool prepared_ = false;
};

template <std::floating_point T, class Rule>
optimiser(const std::vector<std::pair<std::string, tensor<T>>>&, const Rule&) -> optimiser<T, Rule>;
template <std::floating_point T, class Rule>
optimiser(const tensor<T>&, const Rule&) -> optimiser<T, Rule>;
template <std::ranges::input_range Tensors, class Rule>
requires std::same_as<std::ranges::range_value_t<Tensors>,
                      tensor<typename std::ranges::range_value_t<Tensors>::value_type>>
optimiser(const Tensors&, const Rule&) -> optimiser<typename std::ranges::range_value_t<Tensors>::value_type, Rule>;

/// The fraction of rows whose largest score is at their label. Throws shape_error unless there is one label per row of
/// scores of shape (rows, classes).
template <std::floating_point T, std::integral I>
[[nodiscard]] double accuracy(const tensor<T>& scores, std::span<const I> labels) {
    if (scores.rank() != 2 || scores.shape()[0] != static_cast<index>(labels.size()))
        core::raise(shape_error(storage::sentence("accuracy: ", labels.size(), " labels do not fit scores of shape ",
                                                  scores.shape(), "; give (rows, classes) and one label per row")));
    const std::vector<index> best = argmax(scores, 1).values();
    std::size_t right = 0;
    for (std::size_t row = 0; row < best.size(); ++row)
        if (best[row] == static_cast<index>(labels[row])) ++right;
    return best.empty() ? 0.0 : static_cast<double>(right) / static_cast<double>(best.size());
}
template <std::floating_point T, std::integral I>
[[nodiscard]] double accuracy(const tensor<T>& scores, const std::vector<I>& labels) {
    return accuracy(scores, std::span<const I>(labels));
}

} // namespace chainrule::tensor
