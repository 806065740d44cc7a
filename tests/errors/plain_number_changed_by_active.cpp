// SPDX-License-Identifier: BSL-1.0
// expect: s += x: the plain number s would lose the derivatives of x; give s the type of x, or use value(x)
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
using total = double;
#else
using total = tape::active<double>;
#endif

void add(total& sum, const tape::active<double>& x) { sum += x; }
