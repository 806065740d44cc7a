// SPDX-License-Identifier: BSL-1.0
// expect: jvp(f, x, v): the direction v is not a list of numbers; pass one number for each of x, in a std::vector or a std::array, or the rows of a matrix
#include <chainrule/dual.hpp>
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

double slope(double x) {
    const auto f = [](const auto& v) { return v * v; };
#ifdef CHAINRULE_BAD
    return tape::jvp(f, x, chainrule::dual<double, 1>(1.0));
#else
    return tape::jvp(f, x, 1.0);
#endif
}
