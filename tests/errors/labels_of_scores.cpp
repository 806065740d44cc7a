// SPDX-License-Identifier: BSL-1.0
// expect: cross_entropy: the labels are not integers; pass the class number of each row
#include <chainrule/tensor/operations/softmax.hpp>

#ifdef CHAINRULE_BAD
using label = float;
#else
using label = int;
#endif

void loss(const chainrule::tensor::tensor<float>& scores, const std::vector<label>& labels,
          const chainrule::tensor::tensor<label>& others) {
    static_cast<void>(cross_entropy(scores, labels));
    static_cast<void>(cross_entropy(scores, others));
}
