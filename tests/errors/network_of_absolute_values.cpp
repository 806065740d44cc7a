// SPDX-License-Identifier: BSL-1.0
// expect: static_network: the derivative of this activation is not a formula in its result alone; use an activation such as relu or tanh
#include <chainrule/tensor/static_network.hpp>

namespace tensor = chainrule::tensor;

// The sign of the argument is not that of the result.
#ifdef CHAINRULE_BAD
using activation = tensor::activations::function<chainrule::functions::abs>;
#else
using activation = tensor::activations::function<chainrule::functions::relu>;
#endif
using network = tensor::basic_static_network<float, activation, 1, 2, 1>;

float trained(network& n, network::sgd& by) {
    return n.train_step(std::vector<float>{1}, std::vector{1}, by, tensor::losses::hinge{});
}
