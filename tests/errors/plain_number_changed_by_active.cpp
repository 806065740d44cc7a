// SPDX-License-Identifier: BSL-1.0
// expect: active: a plain number is changed by an active one, whose derivative it cannot hold; make it active too, or take the number's value()
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
using total = double;
#else
using total = tape::active<double>;
#endif

void add(total& sum, const tape::active<double>& x) { sum += x; }
