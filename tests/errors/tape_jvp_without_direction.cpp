// SPDX-License-Identifier: BSL-1.0
// expect: jvp(f, x, v): an argument is missing; pass the function, the point and the direction v
#include <chainrule/tape.hpp>

#include <vector>

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * x[1]; };

auto slope(const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    return tape::jvp(product, at);
#else
    return tape::jvp(product, at, std::vector{1.0, 0.0});
#endif
}
