// SPDX-License-Identifier: BSL-1.0
// expect: preaccumulate: the function returns nothing; return the numbers that are used after the section
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

void root(const tape::active<double>& a, tape::active<double>& to) {
#ifdef CHAINRULE_BAD
    tape::preaccumulate([&](const auto& x) { to = sqrt(x); }, a);
#else
    to = tape::preaccumulate([&](const auto& x) { return sqrt(x); }, a);
#endif
}
