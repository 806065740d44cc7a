// SPDX-License-Identifier: BSL-1.0
// expect: a * b: the dual numbers differ in the type of their values or in the number of their directions; give both the same, as in dual<double, 2>, or pass b.value, a constant
#include <chainrule/dual.hpp>

namespace cr = chainrule;

auto product(const cr::dual<double>& a, const cr::dual<float>& b, const cr::dual<double, 2>& c) {
#ifdef CHAINRULE_BAD
    (void)c;
    return a * b;
#else
    return a * b.value + a / c.value;
#endif
}
