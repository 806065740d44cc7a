// SPDX-License-Identifier: BSL-1.0
// expect: tape: the type of the numbers is an integer, in which 3 / 2 is 1; write basic_tape<double>, or tape
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double half() {
#ifdef CHAINRULE_BAD
    tape::basic_tape<int> t;
    return t.variable(1).value();
#else
    tape::tape t;
    const tape::active<double> x = t.variable(1) / 2;
    return x.value();
#endif
}
