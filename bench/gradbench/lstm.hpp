// SPDX-License-Identifier: BSL-1.0
//
// lstm: the loss of a network of l layers of b long short-term memory cells with diagonal weights, which predicts the
// next of c characters of b bits. Gradient with respect to the weights, as in ADBench.
#pragma once

#include "eval.hpp"

namespace gradbench {

struct lstm {
    static constexpr auto name = "lstm";
    std::size_t l, c, b;
    numbers state, text; // l times hidden and cell; the characters
    numbers point;       // l times the weights and the biases of four gates, then the weights in and out, and the bias

    static lstm of_size(std::size_t l, std::size_t c) {
        constexpr std::size_t b = 14;
        numbers bits = random_numbers(c * b);
        for (double& bit : bits) bit = bit < 0.5 ? 0.0 : 1.0;
        return {l, c, b, random_numbers(2 * l * b), bits, random_numbers((8 * l + 3) * b)};
    }
    static lstm read(std::istream& in) {
        const std::size_t l = read_size(in), c = read_size(in), b = read_size(in);
        numbers state = read_numbers(in, 2 * l * b), text = read_numbers(in, c * b);
        return {l, c, b, std::move(state), std::move(text), read_numbers(in, (8 * l + 3) * b)};
    }

    /// Of gate 0 to 3, forget, in, out and change, in a cell.
    [[nodiscard]] std::size_t weight(std::size_t layer, std::size_t gate, std::size_t i) const {
        return (8 * layer + gate) * b + i;
    }
    [[nodiscard]] std::size_t bias(std::size_t layer, std::size_t gate, std::size_t i) const {
        return weight(layer, gate + 4, i);
    }

    template <class List>
    [[nodiscard]] auto operator()(const List& x) const {
        using std::exp, std::log, std::tanh;
        using T = number_of<List>;
        const auto sigmoid = [](const T& z) { return T(1.0 / (1.0 + exp(-z))); };
        const std::size_t extra = 8 * l * b;
        std::vector<T> at(state.begin(), state.end()), line(b);
        T total = 0.0;
        for (std::size_t t = 0; t + 1 < c; ++t) {
            for (std::size_t i = 0; i < b; ++i) line[i] = text[t * b + i] * x[extra + i];
            for (std::size_t k = 0; k < l; ++k)
                for (std::size_t i = 0; i < b; ++i) {
                    T &hidden = at[2 * k * b + i], &cell = at[(2 * k + 1) * b + i];
                    const T forget = sigmoid(line[i] * x[weight(k, 0, i)] + x[bias(k, 0, i)]);
                    const T in = sigmoid(hidden * x[weight(k, 1, i)] + x[bias(k, 1, i)]);
                    const T out = sigmoid(line[i] * x[weight(k, 2, i)] + x[bias(k, 2, i)]);
                    const T change = tanh(hidden * x[weight(k, 3, i)] + x[bias(k, 3, i)]);
                    cell = cell * forget + in * change;
                    hidden = out * tanh(cell);
                    line[i] = hidden;
                }
            T sum = 2.0;
            for (std::size_t i = 0; i < b; ++i) {
                line[i] = line[i] * x[extra + b + i] + x[extra + 2 * b + i];
                sum += exp(line[i]);
            }
            const T lse = log(sum);
            for (std::size_t i = 0; i < b; ++i) total += text[(t + 1) * b + i] * (line[i] - lse);
        }
        return T(total * (-1.0 / static_cast<double>((c - 1) * b)));
    }

    /// What the way back needs of a cell at one time.
    struct kept {
        double line, hidden, cell, forget, in, out, change, squashed;
    };

    void by_hand(numbers& result) const {
        const auto sigmoid = [](double z) { return 1.0 / (1.0 + std::exp(-z)); };
        const std::size_t extra = 8 * l * b;
        const double* const x = point.data();
        std::vector<kept> all((c - 1) * l * b);
        numbers at = state, lines((c - 1) * b), soft((c - 1) * b), line(b);
        for (std::size_t t = 0; t + 1 < c; ++t) {
            for (std::size_t i = 0; i < b; ++i) line[i] = text[t * b + i] * x[extra + i];
            for (std::size_t k = 0; k < l; ++k)
                for (std::size_t i = 0; i < b; ++i) {
                    double &hidden = at[2 * k * b + i], &cell = at[(2 * k + 1) * b + i];
                    kept& now = all[(t * l + k) * b + i];
                    now = {line[i],
                           hidden,
                           cell,
                           sigmoid(line[i] * x[weight(k, 0, i)] + x[bias(k, 0, i)]),
                           sigmoid(hidden * x[weight(k, 1, i)] + x[bias(k, 1, i)]),
                           sigmoid(line[i] * x[weight(k, 2, i)] + x[bias(k, 2, i)]),
                           std::tanh(hidden * x[weight(k, 3, i)] + x[bias(k, 3, i)]),
                           0.0};
                    cell = cell * now.forget + now.in * now.change;
                    now.squashed = std::tanh(cell);
                    line[i] = hidden = now.out * now.squashed;
                }
            double sum = 2.0;
            for (std::size_t i = 0; i < b; ++i) {
                lines[t * b + i] = line[i];
                sum += soft[t * b + i] = std::exp(line[i] * x[extra + b + i] + x[extra + 2 * b + i]);
            }
            for (std::size_t i = 0; i < b; ++i) soft[t * b + i] /= sum;
        }
        sweep_back(all, lines, soft, result);
    }
    void sweep_back(const std::vector<kept>& all, const numbers& lines, const numbers& soft, numbers& result) const {
        const std::size_t extra = 8 * l * b;
        const double* const x = point.data();
        const double scale = -1.0 / static_cast<double>((c - 1) * b);
        result.assign(point.size(), 0.0);
        numbers d_hidden(l * b), d_cell(l * b);
        for (std::size_t t = c - 1; t-- > 0;) {
            double ones = 0.0;
            for (std::size_t i = 0; i < b; ++i) ones += text[(t + 1) * b + i];
            for (std::size_t i = 0; i < b; ++i) {
                const double d_predicted = scale * (text[(t + 1) * b + i] - ones * soft[t * b + i]);
                result[extra + b + i] += d_predicted * lines[t * b + i];
                result[extra + 2 * b + i] += d_predicted;
                double d_line = d_predicted * x[extra + b + i];
                for (std::size_t k = l; k-- > 0;) {
                    const kept& now = all[(t * l + k) * b + i];
                    double &of_hidden = d_hidden[k * b + i], &of_cell = d_cell[k * b + i];
                    const double up = d_line + of_hidden;
                    const double cell = of_cell + up * now.out * (1.0 - now.squashed * now.squashed);
                    const double forget = cell * now.cell * now.forget * (1.0 - now.forget);
                    const double in = cell * now.change * now.in * (1.0 - now.in);
                    const double out = up * now.squashed * now.out * (1.0 - now.out);
                    const double change = cell * now.in * (1.0 - now.change * now.change);
                    const double gates[4]{forget, in, out, change};
                    for (std::size_t g = 0; g < 4; ++g) {
                        result[weight(k, g, i)] += gates[g] * (g % 2 == 0 ? now.line : now.hidden);
                        result[bias(k, g, i)] += gates[g];
                    }
                    d_line = forget * x[weight(k, 0, i)] + out * x[weight(k, 2, i)];
                    of_hidden = in * x[weight(k, 1, i)] + change * x[weight(k, 3, i)];
                    of_cell = cell * now.forget;
                }
                result[extra + i] += d_line * text[t * b + i];
            }
        }
    }

    [[nodiscard]] static bool by_kernel(numbers&) { return false; }
};

} // namespace gradbench
