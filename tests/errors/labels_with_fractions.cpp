// SPDX-License-Identifier: BSL-1.0
// expect: losses::cross_entropy: the labels are not integers; pass the class number of each row
#include <chainrule/tensor/static_network.hpp>

#ifdef CHAINRULE_BAD
using label = float;
#else
using label = int;
#endif

float loss(chainrule::tensor::static_network<3, 2>& n, const std::vector<float>& rows,
           const std::vector<label>& labels) {
    return n.loss(rows, labels);
}
