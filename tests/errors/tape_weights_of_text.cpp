// SPDX-License-Identifier: BSL-1.0
// expect: vjp(f, x, w): the weights w are neither a number nor a list of numbers; pass one for each result of f, in a std::vector or a std::array
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

auto slope(const std::vector<double>& at) {
    const auto f = [](const auto& x) { return x[0] * x[1]; };
#ifdef CHAINRULE_BAD
    return tape::vjp(f, at, "1.0");
#else
    return tape::vjp(f, at, 1.0);
#endif
}
