// SPDX-License-Identifier: BSL-1.0
//
// Losses of static networks: means over a batch. A loss reads the outputs and writes its derivatives with respect to
// them.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/kernels/shifted_exponentials.hpp>
#include <chainrule/tensor/static_network/panels.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace chainrule::tensor::losses {

/// The sum of the losses of rows.
template <class T, class F>
[[nodiscard, gnu::always_inline]] inline T sum_over(std::size_t rows, const F& loss_of_row) {
    return kernels::sum_of<T>(0, static_cast<std::ptrdiff_t>(rows),
                              [&](std::ptrdiff_t b) { return loss_of_row(static_cast<std::size_t>(b)); });
}

/// Cross-entropy: the mean of -log(softmax(f)[label]) for integer labels from 0. Stable for outputs of any size.
struct cross_entropy {
    static constexpr std::size_t labels_of_row(std::size_t) { return 1; }

    template <class T, std::size_t Out, class Label>
    static T evaluate(detail::paneled_rows<T, Out> outputs, const Label* labels, std::size_t batch,
                      detail::paneled_rows<T, Out> by_outputs) {
        using layout = detail::panels<T, Out>;
        const T share = T(1) / static_cast<T>(batch);
        const auto loss_of_row = [&](std::size_t b) {
            const auto at = [&](std::size_t j) { return layout::offset(outputs.rows, b, j); };
            const std::size_t label = static_cast<std::size_t>(labels[b]);
            const T of_label = outputs.data[at(label)];
            T f[Out];
            for (std::size_t j = 0; j < Out; ++j) f[j] = outputs.data[at(j)];
            const auto [largest, total] = kernels::shifted_exponentials(f, f, Out, std::size_t{1});
            const T scale = share / total;
            for (std::size_t j = 0; j < Out; ++j) by_outputs.data[at(j)] = f[j] * scale - (j == label ? share : T(0));
            return std::log(total) + largest - of_label;
        };
        return share * sum_over<T>(batch, loss_of_row);
    }
    /// Throws std::invalid_argument for a label that is not a class.
    template <std::size_t Out, class Label>
    static void check(const char* call, const Label* labels, std::size_t count) {
        static_assert(std::is_integral_v<Label>,
                      "losses::cross_entropy: the labels are not integers; pass the class number of each row");
        for (std::size_t b = 0; b < count; ++b)
            if (!(labels[b] >= 0 && static_cast<std::size_t>(labels[b]) < Out))
                core::raise(std::invalid_argument(std::string(call) + ": label " + std::to_string(labels[b]) +
                                                  " of row " + std::to_string(b) +
                                                  " is not a class of a network with " + std::to_string(Out) +
                                                  " outputs; labels are 0 to " + std::to_string(Out - 1)));
    }
};

/// The mean of max(0, 1 - y f) for one output f and labels y of -1 or +1. The derivative at 1 - y f = 0 is 0.
struct hinge {
    static constexpr std::size_t labels_of_row(std::size_t) { return 1; }

    template <class T, std::size_t Out, class Label>
    static T evaluate(detail::paneled_rows<T, Out> outputs, const Label* labels, std::size_t batch,
                      detail::paneled_rows<T, Out> by_outputs) {
        using layout = detail::panels<T, Out>;
        const T share = T(1) / static_cast<T>(batch);
        return share * sum_over<T>(batch, [&](std::size_t b) {
                   const T y = static_cast<T>(labels[b]), margin = 1 - y * outputs.data[b * layout::padded];
                   by_outputs.data[b * layout::padded] = margin <= 0 ? 0 : -y * share;
                   return margin <= 0 ? T(0) : margin; // so that NaN stays
               });
    }
    /// Throws std::invalid_argument for a label other than -1 and +1.
    template <std::size_t Out, class Label>
    static void check(const char* call, const Label* labels, std::size_t count) {
        static_assert(
            Out == 1,
            "losses::hinge: the network has several outputs; the hinge loss is for one, use losses::cross_entropy");
        // As a number, an unsigned label of -1 would be large.
        for (std::size_t b = 0; b < count; ++b)
            if (labels[b] != 1 && (std::is_unsigned_v<Label> || labels[b] != Label(-1)))
                core::raise(std::invalid_argument(std::string(call) + ": label " + std::to_string(labels[b]) +
                                                  " of row " + std::to_string(b) +
                                                  " is neither -1 nor +1; the hinge loss needs these"));
    }
};

/// The mean of (f - y)^2 over the batch and the outputs. The labels are one number per output for each row.
struct mean_squared {
    static constexpr std::size_t labels_of_row(std::size_t outputs) { return outputs; }

    template <class T, std::size_t Out, class Label>
    static T evaluate(detail::paneled_rows<T, Out> outputs, const Label* labels, std::size_t batch,
                      detail::paneled_rows<T, Out> by_outputs) {
        using layout = detail::panels<T, Out>;
        const T share = T(1) / static_cast<T>(batch * Out);
        return share * sum_over<T>(batch, [&](std::size_t b) {
                   T sum = 0;
                   for (std::size_t j = 0; j < Out; ++j) {
                       const std::size_t at = layout::offset(outputs.rows, b, j);
                       const T difference = outputs.data[at] - static_cast<T>(labels[b * Out + j]);
                       sum += difference * difference;
                       by_outputs.data[at] = 2 * share * difference;
                   }
                   return sum;
               });
    }
    /// Any labels will do.
    template <std::size_t Out, class Label>
    static void check(const char*, const Label*, std::size_t) {}
};

} // namespace chainrule::tensor::losses
