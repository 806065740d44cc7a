// SPDX-License-Identifier: BSL-1.0
// expect: losses::hinge: the network has several outputs; the hinge loss is for one, use losses::cross_entropy
#include <chainrule/tensor/static_network.hpp>

#ifdef CHAINRULE_BAD
using network = chainrule::tensor::static_network<3, 2>;
#else
using network = chainrule::tensor::static_network<3, 1>;
#endif

float loss(network& n, const std::vector<float>& rows, const std::vector<int>& labels) {
    return n.loss(rows, labels, chainrule::tensor::losses::hinge{});
}
