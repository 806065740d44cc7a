// SPDX-License-Identifier: BSL-1.0
// expect: tensor: t[i] has no meaning; write t(i, j) for a number, or select(t, axis, i) for a slice
// expect: tensor: a position is not an integer; write t(i, j) with an integer for each axis
#include <chainrule/tensor/operations/views.hpp>

namespace ct = chainrule::tensor;

float two_numbers(const ct::tensor<float>& x) {
#ifdef CHAINRULE_BAD
    return x[0] + x(0.5);
#else
    return select(x, 0, 0)(-1) + x(0, 1u) + x(std::size_t{0}, 'a' - 'a');
#endif
}
