// SPDX-License-Identifier: BSL-1.0
// expect: s.gradient(): s is a formula and has no place on a tape; declare it as a number, as in active<double> s = a * b; of an expression f, write gradient(f)(x = 2.0, y = 5.0)
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double product(tape::tape& t) {
    const tape::active<double> a = t.variable(2.0), b = t.variable(3.0);
#ifdef CHAINRULE_BAD
    const auto s = a * b;
#else
    const tape::active<double> s = a * b;
#endif
    t.backward(s);
    return s.gradient();
}
