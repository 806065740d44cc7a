// SPDX-License-Identifier: BSL-1.0
// expect: active: a plain number cannot hold the derivative of the active number added to it; make it active, or use the number's value()
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
using total = double;
#else
using total = tape::active<double>;
#endif

void add(total& sum, const tape::active<double>& x) { sum += x; }
