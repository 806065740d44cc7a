// SPDX-License-Identifier: BSL-1.0
// expect: s += x: the plain number s would lose the derivatives of x; give s the type of x, or use value(x)
#include <chainrule/dual.hpp>

#include <vector>

#ifdef CHAINRULE_BAD
using total = double;
#else
using total = chainrule::dual<double>;
#endif

total sum(const std::vector<chainrule::dual<double>>& numbers) {
    total s = 0;
    for (const auto& x : numbers) s += x;
    return s;
}
