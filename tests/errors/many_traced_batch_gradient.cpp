// SPDX-License-Identifier: BSL-1.0
// expect: gradient: the function has several values; use jacobian(...)
#include "many_traced.hpp"

#ifdef CHAINRULE_BAD
auto value(const std::array<double, 400>& at) { return cr::batch(F).gradient(cr::rows(at.data(), 10, 40)); }
#else
auto value(const std::array<double, 40>& at) { return F(at); }
#endif
