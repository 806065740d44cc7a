// SPDX-License-Identifier: BSL-1.0
//
// A reference implementation of networks: loops over rows of plain vectors, in the order of summation that
// static_network documents. It shares no code with the library.
#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace plain {

enum class loss { cross_entropy, hinge, mean_squared };

template <class T>
struct network {
    std::vector<std::size_t> widths;
    bool relu = true; // otherwise tanh
    std::vector<std::vector<T>> weights, biases, by_weights, by_biases;

    explicit network(std::vector<std::size_t> its_widths, bool with_relu, unsigned seed)
        : widths(its_widths), relu(with_relu) {
        std::mt19937 dice(seed);
        std::normal_distribution<double> normal;
        for (std::size_t k = 0; k + 1 < widths.size(); ++k) {
            weights.emplace_back(widths[k] * widths[k + 1]);
            biases.emplace_back(widths[k + 1]);
            for (T& w : weights.back()) w = static_cast<T>(normal(dice) / std::sqrt(static_cast<double>(widths[k])));
            for (T& b : biases.back()) b = static_cast<T>(0.3 * normal(dice));
        }
        by_weights = weights;
        by_biases = biases;
    }

    std::size_t layers() const { return weights.size(); }

    /// The results of every layer, the inputs first.
    std::vector<std::vector<T>> forward(const std::vector<T>& inputs) const {
        const std::size_t batch = inputs.size() / widths[0];
        std::vector<std::vector<T>> results{inputs};
        for (std::size_t k = 0; k < layers(); ++k) {
            const std::size_t in = widths[k], out = widths[k + 1];
            std::vector<T> y(batch * out);
            for (std::size_t b = 0; b < batch; ++b)
                for (std::size_t j = 0; j < out; ++j) {
                    T sum = 0;
                    for (std::size_t i = 0; i < in; ++i) sum += results[k][b * in + i] * weights[k][i * out + j];
                    sum += biases[k][j];
                    y[b * out + j] = k + 1 == layers() ? sum : relu ? (sum < 0 ? T(0) : sum) : std::tanh(sum);
                }
            results.push_back(y);
        }
        return results;
    }

    /// The loss; writes its derivatives with respect to the outputs.
    template <class Label>
    T loss_of(loss kind, const std::vector<T>& f, const std::vector<Label>& labels, std::vector<T>& by_f) const {
        const std::size_t out = widths.back(), batch = f.size() / out;
        const T share = T(1) / static_cast<T>(kind == loss::mean_squared ? f.size() : batch);
        by_f.assign(f.size(), T(0));
        T sum = 0;
        for (std::size_t b = 0; b < batch; ++b) {
            const T* row = f.data() + b * out;
            if (kind == loss::hinge) {
                const T margin = 1 - static_cast<T>(labels[b]) * row[0];
                if (margin > 0) {
                    sum += margin;
                    by_f[b] = -static_cast<T>(labels[b]) * share;
                }
            } else if (kind == loss::mean_squared) {
                for (std::size_t j = 0; j < out; ++j) {
                    const T difference = row[j] - static_cast<T>(labels[b * out + j]);
                    sum += difference * difference;
                    by_f[b * out + j] = 2 * share * difference;
                }
            } else {
                const std::size_t label = static_cast<std::size_t>(labels[b]);
                T largest = row[0], total = 0;
                for (std::size_t j = 0; j < out; ++j) largest = std::max(largest, row[j]);
                for (std::size_t j = 0; j < out; ++j) total += std::exp(row[j] - largest);
                sum += largest + std::log(total) - row[label];
                for (std::size_t j = 0; j < out; ++j)
                    by_f[b * out + j] = share * (std::exp(row[j] - largest) / total - (j == label ? T(1) : T(0)));
            }
        }
        return sum * share;
    }

    /// The loss; leaves its derivatives in by_weights and by_biases.
    template <class Label>
    T gradient(loss kind, const std::vector<T>& inputs, const std::vector<Label>& labels) {
        const auto results = forward(inputs);
        std::vector<T> by_y;
        const T value = loss_of(kind, results.back(), labels, by_y);
        const std::size_t batch = inputs.size() / widths[0];
        for (std::size_t k = layers(); k-- > 0;) {
            const std::size_t in = widths[k], out = widths[k + 1];
            for (std::size_t i = 0; i < in; ++i)
                for (std::size_t j = 0; j < out; ++j) {
                    T sum = 0;
                    for (std::size_t b = 0; b < batch; ++b) sum += results[k][b * in + i] * by_y[b * out + j];
                    by_weights[k][i * out + j] = sum;
                }
            for (std::size_t j = 0; j < out; ++j) {
                by_biases[k][j] = 0;
                for (std::size_t b = 0; b < batch; ++b) by_biases[k][j] += by_y[b * out + j];
            }
            std::vector<T> by_x(batch * in);
            for (std::size_t b = 0; b < batch; ++b)
                for (std::size_t i = 0; i < in; ++i) {
                    T sum = 0;
                    for (std::size_t j = 0; j < out; ++j) sum += by_y[b * out + j] * weights[k][i * out + j];
                    const T x = results[k][b * in + i];
                    by_x[b * in + i] = relu ? (x > 0 ? sum : T(0)) : sum * (1 - x * x);
                }
            by_y = by_x;
        }
        return value;
    }
};

} // namespace plain
