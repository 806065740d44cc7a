// SPDX-License-Identifier: BSL-1.0
// expect: a * b: a dual number is combined with an object that is not a number; use its members, as in a * object.mass, or give its class an operator
#include <chainrule/dual.hpp>

namespace cr = chainrule;

struct body {
    double mass;
};

auto force(const cr::dual<double>& a, const body& b) {
#ifdef CHAINRULE_BAD
    return pow(a, b);
#else
    return pow(a, b.mass);
#endif
}
