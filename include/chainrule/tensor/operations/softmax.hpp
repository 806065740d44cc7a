// SPDX-License-Identifier: BSL-1.0
//
// softmax, log_softmax and the losses cross_entropy, mse and hinge, numerically stable for scores of any size.
#pragma once

#include <chainrule/core/raise.hpp>
#include <chainrule/tensor/kernels/shifted_exponentials.hpp>
#include <chainrule/tensor/operations/indexing.hpp>

namespace chainrule::tensor {
namespace operations {

/// The operation of softmax() and log_softmax().
template <arithmetic T, bool Logarithm>
class normalised_exponential final : public operation<normalised_exponential<T, Logarithm>, T, 1> {
public:
    static constexpr const char* called = Logarithm ? "log_softmax" : "softmax";

    /// x must be contiguous.
    void compute(const node<T>& x, std::size_t axis) {
        this->make_dense(x.shape);
        step_ = this->strides[axis];
        size_ = this->shape[axis];
        for_each_row([&](index at) {
            T* const out = this->numbers + at;
            const auto [largest, sum] = kernels::shifted_exponentials(x.numbers + at, out, size_, step_);
            if constexpr (Logarithm) {
                const T logarithm = functions::log::value(sum);
                for (index k = 0; k < size_; ++k) out[k * step_] = (x.numbers[at + k * step_] - largest) - logarithm;
            } else {
                for (index k = 0; k < size_; ++k) out[k * step_] /= sum;
            }
        });
        record(*this, reading::result, x);
    }
    void propagate() {
        const gradient_target<T> into = this->at(0).take_gradient();
        const T* const all = this->gradient_numbers();
        for_each_row([&, into](index at) {
            const T *const r = this->numbers + at, *const g = all + at;
            T* const target = into.numbers + at;
            const T sum = kernels::sum_of<T>(
                0, size_, [=, step = step_](index k) { return Logarithm ? g[k * step] : g[k * step] * r[k * step]; });
            // A row with gradient 0, for example one that was not chosen, may have infinite or NaN results.
            if ((sum == T(0) || sum != sum) && is_zero(g)) [[unlikely]] {
                if (!into.adds)
                    for (index k = 0; k < size_ * step_; k += step_) target[k] = T(0);
                return;
            }
            for (index k = 0; k < size_ * step_; k += step_) {
                const T term = Logarithm ? g[k] - functions::exp::value(r[k]) * sum : r[k] * (g[k] - sum);
                target[k] = into.adds ? target[k] + term : term;
            }
        });
    }

private:
    [[nodiscard]] bool is_zero(const T* row) const {
        for (index k = 0; k < size_; ++k)
            if (row[k * step_] != T(0)) return false;
        return true;
    }
    template <class Row>
    void for_each_row(Row row) const {
        if (size_ == 0) return;
        for (index block = 0; block < this->count; block += size_ * step_)
            for (index at = block; at < block + step_; ++at) row(at);
    }
    index step_ = 1, size_ = 1;
};

/// The operation of cross_entropy().
template <arithmetic T>
class classification_loss final : public operation<classification_loss<T>, T, 1> {
public:
    static constexpr const char* called = "cross_entropy";

    template <std::integral I>
    void compute(const node<T>& scores, std::span<const I> labels) {
        rows_ = scores.shape[0];
        classes_ = scores.shape[1];
        this->make_scalar();
        // The exponentials of a row are followed by the reciprocal of their sum; the labels follow all rows.
        const auto rows = static_cast<std::size_t>(rows_), row = static_cast<std::size_t>(classes_ + 1);
        saved_ =
            storage::buffer_reference(storage::buffer::make(rows * (row * sizeof(T) + sizeof(index)) + sizeof(index)));
        T* exponentials = saved_->template numbers<T>();
        index* const chosen = labels_saved();
        const T total = kernels::sum_of<T>(0, rows_, [&](index i) {
            const I given = labels[static_cast<std::size_t>(i)];
            const auto label = static_cast<index>(given);
            if (static_cast<std::size_t>(given) >= static_cast<std::size_t>(classes_))
                core::raise(shape_error(storage::sentence("cross_entropy: label ", +given, " of row ", i,
                                                          " is out of range; there are ", classes_,
                                                          " classes, numbered from 0")));
            const T* const x = scores.numbers + i * scores.strides[0];
            const auto [largest, sum] = kernels::shifted_exponentials(x, exponentials, classes_, index{1});
            exponentials[classes_] = T(1) / sum;
            exponentials += classes_ + 1;
            chosen[i] = label;
            return functions::log::value(sum) - (x[label] - largest);
        });
        this->numbers[0] = total / static_cast<T>(rows_);
        record(*this, reading::nothing, scores);
    }
    void propagate() {
        const T g = this->gradient_numbers()[0] / static_cast<T>(rows_);
        auto [target, adds] = this->at(0).take_gradient();
        if (g == T(0)) { // as that of a loss that was not chosen: its exponentials may be NaN
            if (!adds) std::fill_n(target, rows_ * classes_, T(0));
            return;
        }
        const T* exponentials = saved_->template numbers<T>();
        const index* const chosen = labels_saved();
        for (index i = 0; i < rows_; ++i, target += classes_, exponentials += classes_ + 1) {
            const T scale = g * exponentials[classes_];
            if (adds)
                for (index k = 0; k < classes_; ++k) target[k] += exponentials[k] * scale;
            else
                for (index k = 0; k < classes_; ++k) target[k] = exponentials[k] * scale;
            target[chosen[i]] -= g;
        }
    }

private:
    [[nodiscard]] index* labels_saved() const {
        const auto bytes = static_cast<std::size_t>(rows_ * (classes_ + 1)) * sizeof(T);
        return saved_->template numbers<index>() + (bytes + sizeof(index) - 1) / sizeof(index);
    }
    storage::buffer_reference saved_;
    index rows_ = 0, classes_ = 0;
};

} // namespace operations

/// exp(x) / sum(exp(x)) along an axis.
template <std::floating_point T>
[[nodiscard]] tensor<T> softmax(const tensor<T>& x, index axis = -1) {
    const std::size_t a = storage::axis_of("softmax", axis, x.rank());
    const tensor<T> packed = contiguous(x);
    return graph::computed<operations::normalised_exponential<T, false>>(packed.node(), a);
}
/// x - log(sum(exp(x))) along an axis.
template <std::floating_point T>
[[nodiscard]] tensor<T> log_softmax(const tensor<T>& x, index axis = -1) {
    const std::size_t a = storage::axis_of("log_softmax", axis, x.rank());
    const tensor<T> packed = contiguous(x);
    return graph::computed<operations::normalised_exponential<T, true>>(packed.node(), a);
}

/// The mean over rows of -log softmax(row)[label], for scores of shape (rows, classes) and one label per row, from 0.
/// Throws shape_error if shapes do not match or a label is out of range.
template <std::floating_point T, std::integral I>
[[nodiscard]] tensor<T> cross_entropy(const tensor<T>& scores, std::span<const I> labels) {
    if (scores.rank() != 2 || scores.shape()[1] == 0)
        core::raise(shape_error(
            storage::sentence("cross_entropy: scores have shape ", scores.shape(), "; give (rows, classes)")));
    if (static_cast<index>(labels.size()) != scores.shape()[0])
        core::raise(
            shape_error(storage::sentence("cross_entropy: ", labels.size(), " labels do not fit scores of shape ",
                                          scores.shape(), "; give one label per row")));
    // The stride of an axis of size 1 may have any value.
    if (scores.strides()[1] != 1 && !scores.contiguous()) return cross_entropy(contiguous(scores), labels);
    return graph::computed<operations::classification_loss<T>>(scores.node(), labels);
}
template <std::floating_point T, std::integral I>
[[nodiscard]] tensor<T> cross_entropy(const tensor<T>& scores, const tensor<I>& labels) {
    const tensor<I> packed = labels.contiguous() ? labels : labels.clone();
    return cross_entropy(scores, packed.span());
}
template <std::floating_point T, std::integral I>
[[nodiscard]] tensor<T> cross_entropy(const tensor<T>& scores, const std::vector<I>& labels) {
    return cross_entropy(scores, std::span<const I>(labels));
}
template <std::floating_point T, class Labels>
requires std::floating_point<typename Labels::value_type>
tensor<T> cross_entropy(const tensor<T>& scores, const Labels&) {
    static_assert(!std::same_as<T, T>, "cross_entropy: the labels are not integers; pass the class number of each row");
    return scores;
}

namespace operations {
template <class T>
void check_same_shape(const char* call, const tensor<T>& a, const tensor<T>& b) {
    if (a.shape() != b.shape())
        core::raise(shape_error(storage::sentence(call, ": predictions of shape ", a.shape(), " and targets of shape ",
                                                  b.shape(), " do not fit; give both the same shape")));
}
} // namespace operations

/// The mean squared difference. Throws shape_error unless the shapes are equal, since broadcasting a loss is nearly
/// always a mistake.
template <std::floating_point T>
[[nodiscard]] tensor<T> mse(const tensor<T>& predictions, const tensor<T>& targets) {
    operations::check_same_shape("mse", predictions, targets);
    const tensor<T> difference = predictions - targets;
    return mean(difference * difference);
}

/// The mean of max(0, 1 - label * score) for labels -1 and 1. Throws shape_error unless the shapes are equal.
template <std::floating_point T>
[[nodiscard]] tensor<T> hinge(const tensor<T>& scores, const tensor<T>& labels) {
    operations::check_same_shape("hinge", scores, labels);
    return mean(relu(1 - labels * scores));
}

} // namespace chainrule::tensor
