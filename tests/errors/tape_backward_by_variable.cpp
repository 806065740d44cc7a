// SPDX-License-Identifier: BSL-1.0
// expect: backward(f, x): x is not a weight of f; write t.backward(f), and then x.gradient()
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double slope(tape::tape& t, const tape::active<double>& x) {
    const tape::active<double> f = x * x;
#ifdef CHAINRULE_BAD
    t.backward(f * f, x);
#else
    t.backward(f * f, 2);
#endif
    return x.gradient();
}
