// SPDX-License-Identifier: BSL-1.0
// expect: tensor: t[i] has no meaning; write t(i, j) for a number, or select(t, axis, i) for a slice
// expect: tensor: a position is not an integer; write t(i, j) with an integer for each axis
// expect: zeros: a shape stands in braces; write zeros<float>({2, 3})
#include <chainrule/tensor/operations/views.hpp>

namespace ct = chainrule::tensor;

float two_numbers(const ct::tensor<float>& x) {
#ifdef CHAINRULE_BAD
    const ct::tensor<float> others = ct::zeros<float>(2, 3);
    return x[0] + x(0.5) + others(0, 0);
#else
    const ct::tensor<float> others = ct::zeros<float>({2, 3});
    return select(x, 0, 0)(-1) + x(0, 1u) + others(std::size_t{0}, 'a' - 'a');
#endif
}
