// SPDX-License-Identifier: BSL-1.0
// expect: jvp(f, x, v): the direction v is not a list of numbers; pass one number for each of x, in a std::vector or a std::array, or the rows of a matrix
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

auto slope(const std::vector<double>& at) {
    const auto f = [](const auto& x) { return x[0] * x[1]; };
#ifdef CHAINRULE_BAD
    return tape::jvp(f, at, 1.0);
#else
    return tape::jvp(f, at, std::vector{1.0, 0.0});
#endif
}
