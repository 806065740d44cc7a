// SPDX-License-Identifier: BSL-1.0
// expect: a * b: the dual numbers differ in the type of their values or in the number of their directions; give both the same, as in dual<double, 2>, or pass b.value, a constant
#include <chainrule/dual.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto difference(const cr::dual<double>& a, const cr::dual<double, 2>& b) { return a - b; }
#else
// Of dual numbers of dual numbers, the inner one is a number.
auto difference(const cr::dual<cr::dual<double>>& a, const cr::dual<double>& b) { return a - b; }
#endif
