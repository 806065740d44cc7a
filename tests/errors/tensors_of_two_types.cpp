// SPDX-License-Identifier: BSL-1.0
// expect: tensor: the operands differ in the type of their elements; make both of one type, as in zeros<double>({2, 3}), and choose elements with where(condition, a, b)
#include <chainrule/tensor.hpp>

namespace ct = chainrule::tensor;

#ifdef CHAINRULE_BAD
auto product(const ct::tensor<float>& a, const ct::tensor<double>& b) { return a * b; }
#else
auto product(const ct::tensor<double>& a, const ct::tensor<double>& b) { return a * b; }
#endif
