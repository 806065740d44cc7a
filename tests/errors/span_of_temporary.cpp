// SPDX-License-Identifier: BSL-1.0
// expect: span: the tensor is a temporary, so the span would dangle; give it a name, or use values()
// expect: mutable_span: the tensor is a temporary, so the span would dangle; give it a name
#include <chainrule/tensor/operations/elementwise.hpp>

float first_of_sum(const chainrule::tensor::tensor<float>& x) {
#ifdef CHAINRULE_BAD
    x.clone().mutable_span();
    (x + x).span();
    return 0;
#else
    auto twice = x + x;
    twice.mutable_span()[0] = 1;
    return twice.span()[0] + x.span()[0];
#endif
}
