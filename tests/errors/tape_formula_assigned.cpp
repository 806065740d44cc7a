// SPDX-License-Identifier: BSL-1.0
// expect: s = x: s is a formula of active numbers; declare it as a number, as in active<double> s = a * b
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

#ifdef CHAINRULE_BAD
auto sum(const tape::active<double>& a, const tape::active<double>& b) {
    auto s = a * a;
    s = s + b * b;
    return s;
}
#else
auto sum(const tape::active<double>& a, const tape::active<double>& b) {
    tape::active<double> s = a * a;
    s = s + b * b;
    return s;
}
#endif
