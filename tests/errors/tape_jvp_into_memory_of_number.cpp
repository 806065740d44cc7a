// SPDX-License-Identifier: BSL-1.0
// expect: jvp(f, x, v, to): there is memory for the result, or more, and the point is not one list of numbers; pass such a list, or take what is returned
#include <chainrule/tape.hpp>

#include <vector>

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * x[1]; };

void slope(const std::vector<double>& at, std::vector<double>& to) {
#ifdef CHAINRULE_BAD
    tape::jvp(product, at[0], 1.0, to);
#else
    tape::jvp(product, at, std::vector{1.0, 0.0}, to);
#endif
}
