// SPDX-License-Identifier: BSL-1.0
// expect: losses::cross_entropy: the labels are not integers; pass the class number of each row
// expect: cross_entropy: the labels are not integers; pass the class number of each row
// at most 30 lines on clang: clang prints three lines for each function on the way
#include <chainrule/tensor/operations/softmax.hpp>
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
void loss(const chainrule::tensor::tensor<float>& scores, const std::vector<label>& labels,
          const chainrule::tensor::tensor<label>& others) {
    static_cast<void>(cross_entropy(scores, labels));
    static_cast<void>(cross_entropy(scores, others));
}
