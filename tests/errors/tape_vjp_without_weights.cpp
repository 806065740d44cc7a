// SPDX-License-Identifier: BSL-1.0
// expect: vjp(f, x, w): an argument is missing; pass the function, the point and the weights w of the results
#include <chainrule/tape.hpp>

#include <vector>

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * x[1]; };

auto slope(const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    return tape::vjp(product, at);
#else
    return tape::vjp(product, at, 1.0);
#endif
}
