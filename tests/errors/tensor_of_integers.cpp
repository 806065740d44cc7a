// SPDX-License-Identifier: BSL-1.0
// expect: exp(x): the elements of the tensor are integers; write exp(convert<double>(x))
#include <chainrule/tensor.hpp>

namespace tensor = chainrule::tensor;

#ifdef CHAINRULE_BAD
tensor::tensor<double> grown(const tensor::tensor<int>& counts) { return exp(counts); }
#else
tensor::tensor<double> grown(const tensor::tensor<int>& counts) { return exp(tensor::convert<double>(counts)); }
#endif
