// SPDX-License-Identifier: BSL-1.0
//
// The reference for all others: training steps written by hand around OpenBLAS, with as few other passes over memory as
// possible. For one sample they call matrix-vector products, which are faster.
#include "contestant.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

/// A layer with what a step computes.
struct layer {
    int in, out;
    std::vector<float> weights, biases, weight_gradient, output, delta;
};

// C (m x n) = A (m x k) B (k x n)
void product(int m, int n, int k, const float* a, const float* b, float* c) {
    if (m == 1)
        cblas_sgemv(CblasRowMajor, CblasTrans, k, n, 1.0f, b, n, a, 1, 0.0f, c, 1);
    else
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
}
// C (m x k) = A (m x n) B^T, B is k x n
void product_with_transposed(int m, int k, int n, const float* a, const float* b, float* c) {
    if (m == 1)
        cblas_sgemv(CblasRowMajor, CblasNoTrans, k, n, 1.0f, b, n, a, 1, 0.0f, c, 1);
    else
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, k, n, 1.0f, a, n, b, n, 0.0f, c, k);
}
// C (k x n) = beta C + alpha A^T B, A is m x k, B is m x n
void product_of_transposed(int k, int n, int m, float alpha, const float* a, const float* b, float beta, float* c) {
    if (m == 1 && beta == 1.0f) {
        cblas_sger(CblasRowMajor, k, n, alpha, a, 1, b, 1, c, n);
    } else if (m == 1) {
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < n; ++j) c[i * n + j] = alpha * a[i] * b[j];
    } else {
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, k, n, m, alpha, a, k, b, n, beta, c, n);
    }
}

template <bool Folded>
class by_hand final : public training {
public:
    explicit by_hand(const network& given) : given_(given), batch_(static_cast<int>(given.batch)) {
        openblas_set_num_threads(1);
        for (std::size_t k = 0; k < given.layers(); ++k) {
            const std::size_t in = given.widths[k], out = given.widths[k + 1];
            layers_.push_back({static_cast<int>(in), static_cast<int>(out), given.weights[k], given.biases[k],
                               std::vector<float>(in * out), std::vector<float>(given.batch * out),
                               std::vector<float>(given.batch * out)});
        }
    }

    void begin() override {
        for (std::size_t k = 0; k < layers_.size(); ++k) {
            layers_[k].weights = given_.weights[k];
            layers_[k].biases = given_.biases[k];
        }
    }

    float step() override {
        for (std::size_t k = 0; k < layers_.size(); ++k) forward(k);
        const float loss = given_.minimised == bench::loss::hinge ? hinge() : cross_entropy();
        for (std::size_t k = layers_.size(); k-- > 0;) backward(k);
        return loss;
    }

private:
    const float* input(std::size_t k) const { return k == 0 ? given_.inputs.data() : layers_[k - 1].output.data(); }

    void forward(std::size_t k) {
        layer& l = layers_[k];
        product(batch_, l.out, l.in, input(k), l.weights.data(), l.output.data());
        const bool last = k + 1 == layers_.size();
        for (int b = 0; b < batch_; ++b) {
            float* __restrict row = l.output.data() + b * l.out;
            const float* __restrict bias = l.biases.data();
            if (last)
                for (int j = 0; j < l.out; ++j) row[j] += bias[j];
            else
                for (int j = 0; j < l.out; ++j) row[j] = std::max(row[j] + bias[j], 0.0f);
        }
    }

    float cross_entropy() {
        layer& l = layers_.back();
        float sum = 0.0f;
        const float share = 1.0f / static_cast<float>(batch_);
        for (int b = 0; b < batch_; ++b) {
            const float* z = l.output.data() + b * l.out;
            float* d = l.delta.data() + b * l.out;
            const int label = given_.labels[static_cast<std::size_t>(b)];
            const float largest = *std::max_element(z, z + l.out);
            float total = 0.0f;
            for (int j = 0; j < l.out; ++j) total += d[j] = std::exp(z[j] - largest);
            sum += std::log(total) + largest - z[label];
            const float scale = share / total;
            for (int j = 0; j < l.out; ++j) d[j] *= scale;
            d[label] -= share;
        }
        return sum * share;
    }

    float hinge() {
        layer& l = layers_.back();
        float sum = 0.0f;
        const float share = 1.0f / static_cast<float>(batch_);
        for (int b = 0; b < batch_; ++b) {
            const float y = static_cast<float>(given_.labels[static_cast<std::size_t>(b)]);
            const float margin = 1.0f - y * l.output[static_cast<std::size_t>(b)];
            sum += std::max(margin, 0.0f);
            l.delta[static_cast<std::size_t>(b)] = margin > 0.0f ? -y * share : 0.0f;
        }
        return sum * share;
    }

    void backward(std::size_t k) {
        layer& l = layers_[k];
        if (k > 0) {
            layer& below = layers_[k - 1];
            product_with_transposed(batch_, l.in, l.out, l.delta.data(), l.weights.data(), below.delta.data());
            float* __restrict d = below.delta.data();
            const float* __restrict y = below.output.data();
            for (int i = 0; i < batch_ * l.in; ++i) d[i] = y[i] > 0.0f ? d[i] : 0.0f;
        }
        const float rate = given_.rate;
        for (int b = 0; b < batch_; ++b) {
            const float* __restrict d = l.delta.data() + b * l.out;
            float* __restrict bias = l.biases.data();
            for (int j = 0; j < l.out; ++j) bias[j] -= rate * d[j];
        }
        if constexpr (Folded) {
            product_of_transposed(l.in, l.out, batch_, -rate, input(k), l.delta.data(), 1.0f, l.weights.data());
        } else {
            product_of_transposed(l.in, l.out, batch_, 1.0f, input(k), l.delta.data(), 0.0f, l.weight_gradient.data());
            float* __restrict w = l.weights.data();
            const float* __restrict g = l.weight_gradient.data();
            const int count = l.in * l.out;
            for (int i = 0; i < count; ++i) w[i] -= rate * g[i];
        }
    }

    const network& given_;
    int batch_;
    std::vector<layer> layers_;
};

} // namespace

contestant openblas() {
    return {"OpenBLAS by hand",
            [](const network& n) -> std::unique_ptr<training> { return std::make_unique<by_hand<false>>(n); }};
}
contestant openblas_folded() {
    return {"OpenBLAS, SGD folded",
            [](const network& n) -> std::unique_ptr<training> { return std::make_unique<by_hand<true>>(n); }};
}

} // namespace bench
