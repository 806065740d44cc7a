// SPDX-License-Identifier: BSL-1.0
// expect: backward(): the number whose derivatives are wanted is missing; write t.backward(f)
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double slope(tape::tape& t, const tape::active<double>& x) {
    const tape::active<double> f = x * x;
#ifdef CHAINRULE_BAD
    t.backward();
#else
    t.backward(f);
#endif
    return x.gradient();
}
