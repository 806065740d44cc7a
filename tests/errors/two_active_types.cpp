// SPDX-License-Identifier: BSL-1.0
// expect: active: an expression has active numbers of two types; convert them to one
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
using narrow = tape::active<float>;
#else
using narrow = tape::active<double>;
#endif

tape::active<double> product(const tape::active<double>& x, const narrow& y) { return x * y; }
