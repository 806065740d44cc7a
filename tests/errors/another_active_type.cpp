// SPDX-License-Identifier: BSL-1.0
// expect: active: the expression has active numbers of another type; convert the result's type
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
using result = tape::active<float>;
#else
using result = tape::active<double>;
#endif

result square(const tape::active<double>& x) { return x * x; }
