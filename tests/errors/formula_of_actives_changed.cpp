// SPDX-License-Identifier: BSL-1.0
// expect: s += x: s is a formula of active numbers; declare it as a number, as in active<double> s = a * b
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double slope(tape::tape& t) {
    auto a = t.variable(2.0);
#ifdef CHAINRULE_BAD
    auto s = a * a;
#else
    tape::active<double> s = a * a;
#endif
    s += a;
    return value(s);
}
