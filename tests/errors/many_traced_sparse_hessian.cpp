// SPDX-License-Identifier: BSL-1.0
// expect: sparse_hessian: the function has several values; use sparse_lagrangian_hessian(...)
#include "many_traced.hpp"

#ifdef CHAINRULE_BAD
auto value(const std::array<double, 40>& at) { return F.sparse_hessian(at); }
#else
auto value(const std::array<double, 40>& at) { return F(at); }
#endif
