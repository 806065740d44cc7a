// SPDX-License-Identifier: BSL-1.0
// expect: zeros: a shape stands in braces; write zeros<float>({2, 3})
#include <chainrule/tensor/graph/creation.hpp>

namespace ct = chainrule::tensor;

ct::tensor<float> two_rows() {
#ifdef CHAINRULE_BAD
    return ct::zeros<float>(2, 3);
#else
    return ct::zeros<float>({2, 3});
#endif
}
