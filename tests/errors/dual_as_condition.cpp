// SPDX-License-Identifier: BSL-1.0
// expect: if (x): a number with derivatives is neither true nor false; compare it, as in x != 0
#include <chainrule/dual.hpp>

chainrule::dual<double> quotient(const chainrule::dual<double>& x, const chainrule::dual<double>& y) {
#ifdef CHAINRULE_BAD
    if (x) return y / x;
#else
    if (x != 0) return y / x;
#endif
    return y;
}
