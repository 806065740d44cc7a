// SPDX-License-Identifier: BSL-1.0
//
// The contestant whose shapes the compiler knows: tensor/static_network.hpp.
#include "contestant.hpp"

#include <chainrule/tensor/static_network.hpp>

#include <algorithm>

namespace bench {
namespace {

template <class Loss, std::size_t... Widths>
class with_static_shapes final : public training {
public:
    explicit with_static_shapes(const network& given) : given_(given), optimiser_(given.rate) {}
    void begin() override {
        for (std::size_t k = 0; k < given_.layers(); ++k) {
            network_.set_weights(k, given_.weights[k]);
            network_.set_biases(k, given_.biases[k]);
        }
    }
    float step() override { return network_.train_step(given_.inputs, given_.labels, optimiser_, Loss{}); }

    static std::unique_ptr<training> if_fits(const network& given) {
        if (!std::ranges::equal(given.widths, network_type::widths)) return nullptr;
        return std::make_unique<with_static_shapes>(given);
    }

private:
    using network_type = chainrule::tensor::static_network<Widths...>;
    const network& given_;
    network_type network_;
    typename network_type::sgd optimiser_;
};

std::unique_ptr<training> train(const network& given) {
    namespace losses = chainrule::tensor::losses;
    if (auto t = with_static_shapes<losses::cross_entropy, 784, 512, 256, 10>::if_fits(given)) return t;
    if (auto t = with_static_shapes<losses::cross_entropy, 784, 128, 10>::if_fits(given)) return t;
    if (auto t = with_static_shapes<losses::hinge, 2, 16, 16, 1>::if_fits(given)) return t;
    if (auto t = with_static_shapes<losses::cross_entropy, 4, 8, 2>::if_fits(given)) return t;
    return nullptr;
}

} // namespace

contestant static_network() { return {"chainrule static_network", train}; }

} // namespace bench
