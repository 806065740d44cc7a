// SPDX-License-Identifier: BSL-1.0
//
// The contestant whose shapes are known at run time: chainrule/tensor.hpp, with the CBLAS that the others use.
#include "contestant.hpp"

#include <chainrule/tensor.hpp>

#include <optional>

namespace bench {
namespace {

namespace ct = chainrule::tensor;

class with_dynamic_tensors final : public training {
public:
    explicit with_dynamic_tensors(const network& given) : given_(given) {
        const auto size = [](std::size_t count) { return static_cast<ct::index>(count); };
        inputs_ = ct::tensor<float>({size(given.batch), size(given.widths.front())}, given.inputs);
        if (given.minimised == loss::hinge)
            signs_ =
                ct::tensor<float>({size(given.batch), 1}, std::vector<float>(given.labels.begin(), given.labels.end()));
        std::vector<std::pair<std::string, ct::tensor<float>>> all;
        for (std::size_t k = 0; k < given.layers(); ++k) {
            weights_.emplace_back(ct::extents{size(given.widths[k]), size(given.widths[k + 1])}, given.weights[k]);
            biases_.emplace_back(ct::extents{size(given.widths[k + 1])}, given.biases[k]);
            all.emplace_back("weights", weights_.back().requires_grad(true));
            all.emplace_back("biases", biases_.back().requires_grad(true));
        }
        optimiser_.emplace(all, ct::optimisers::sgd<float>(given.rate));
    }
    void begin() override {
        const ct::no_grad unrecorded;
        for (std::size_t k = 0; k < given_.layers(); ++k) {
            std::copy(given_.weights[k].begin(), given_.weights[k].end(), weights_[k].mutable_span().begin());
            std::copy(given_.biases[k].begin(), given_.biases[k].end(), biases_[k].mutable_span().begin());
        }
    }
    float step() override {
        ct::tensor<float> x = inputs_;
        for (std::size_t k = 0; k < given_.layers(); ++k) {
            x = ct::linear(x, weights_[k], biases_[k]);
            if (k + 1 < given_.layers()) x = ct::relu(std::move(x));
        }
        const ct::tensor<float> loss =
            given_.minimised == bench::loss::hinge ? ct::hinge(x, signs_) : ct::cross_entropy(x, given_.labels);
        const float value = loss.item();
        optimiser_->minimise(loss);
        return value;
    }

private:
    const network& given_;
    ct::tensor<float> inputs_, signs_;
    std::vector<ct::tensor<float>> weights_, biases_;
    std::optional<ct::optimiser<float, ct::optimisers::sgd<float>>> optimiser_;
};

std::unique_ptr<training> train(const network& given) { return std::make_unique<with_dynamic_tensors>(given); }

} // namespace

contestant dynamic_tensors() { return {"chainrule tensors", train}; }

} // namespace bench
