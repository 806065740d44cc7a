// SPDX-License-Identifier: BSL-1.0
// expect: gradient(f, x): the point x is missing; pass the numbers at which f is differentiated
#include <chainrule/tape.hpp>

#include <vector>

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * x[1]; };

auto slope([[maybe_unused]] const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    return tape::gradient(product);
#else
    return tape::gradient(product, at);
#endif
}
