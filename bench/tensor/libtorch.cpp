// SPDX-License-Identifier: BSL-1.0
//
// libtorch, as its users write it (nn::Linear and optim::SGD) and with as little around the products as its interface
// allows (addmm and the update of plain tensors).
#include "contestant.hpp"

#include <torch/torch.h>

namespace bench {
namespace {

torch::Tensor matrix(const std::vector<float>& numbers, std::size_t rows) {
    return torch::tensor(numbers).reshape({static_cast<long>(rows), -1}).clone();
}

/// The batch, and the loss of a network's outputs.
struct batch {
    explicit batch(const network& given) : inputs(matrix(given.inputs, given.batch)), minimised(given.minimised) {
        at::set_num_threads(1);
        if (minimised == loss::hinge) {
            const std::vector<float> signs(given.labels.begin(), given.labels.end());
            labels = matrix(signs, given.batch);
        } else {
            labels = torch::tensor(std::vector<long>(given.labels.begin(), given.labels.end()));
        }
    }
    torch::Tensor loss_of(const torch::Tensor& outputs) const {
        return minimised == loss::hinge ? (1 - labels * outputs).clamp_min(0).mean()
                                        : torch::nn::functional::cross_entropy(outputs, labels);
    }

    torch::Tensor inputs, labels;
    loss minimised;
};

class with_modules final : public training {
public:
    explicit with_modules(const network& given) : given_(given), batch_(given) {
        for (std::size_t k = 0; k < given.layers(); ++k) {
            if (k > 0) layers_->push_back(torch::nn::ReLU());
            layers_->push_back(
                torch::nn::Linear(static_cast<long>(given.widths[k]), static_cast<long>(given.widths[k + 1])));
        }
        optimiser_ = std::make_unique<torch::optim::SGD>(layers_->parameters(), torch::optim::SGDOptions(given.rate));
    }
    void begin() override {
        const torch::NoGradGuard no_gradients;
        auto parameters = layers_->parameters();
        for (std::size_t k = 0; k < given_.layers(); ++k) {
            parameters[2 * k].copy_(matrix(given_.weights[k], given_.widths[k]).t());
            parameters[2 * k + 1].copy_(torch::tensor(given_.biases[k]));
        }
    }
    float step() override {
        optimiser_->zero_grad();
        const auto loss = batch_.loss_of(layers_->forward(batch_.inputs));
        loss.backward();
        optimiser_->step();
        return loss.item<float>();
    }

private:
    const network& given_;
    batch batch_;
    torch::nn::Sequential layers_;
    std::unique_ptr<torch::optim::SGD> optimiser_;
};

class lean final : public training {
public:
    explicit lean(const network& given) : given_(given), batch_(given) {
        for (std::size_t k = 0; k < given.layers(); ++k) {
            weights_.push_back(matrix(given.weights[k], given.widths[k]).requires_grad_());
            biases_.push_back(torch::tensor(given.biases[k]).requires_grad_());
        }
    }
    void begin() override {
        const torch::NoGradGuard no_gradients;
        for (std::size_t k = 0; k < given_.layers(); ++k) {
            weights_[k].copy_(matrix(given_.weights[k], given_.widths[k]));
            biases_[k].copy_(torch::tensor(given_.biases[k]));
        }
    }
    float step() override {
        auto x = batch_.inputs;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            x = torch::addmm(biases_[k], x, weights_[k]);
            if (k + 1 < weights_.size()) x = x.relu_();
        }
        const auto loss = batch_.loss_of(x);
        loss.backward();
        const torch::NoGradGuard no_gradients;
        for (auto* parameters : {&weights_, &biases_})
            for (auto& p : *parameters) {
                p.add_(p.grad(), -given_.rate);
                p.mutable_grad().reset();
            }
        return loss.item<float>();
    }

private:
    const network& given_;
    batch batch_;
    std::vector<torch::Tensor> weights_, biases_;
};

} // namespace

contestant libtorch() {
    return {"libtorch, nn::Linear",
            [](const network& n) -> std::unique_ptr<training> { return std::make_unique<with_modules>(n); }};
}
contestant libtorch_lean() {
    return {"libtorch, addmm", [](const network& n) -> std::unique_ptr<training> { return std::make_unique<lean>(n); }};
}

} // namespace bench
