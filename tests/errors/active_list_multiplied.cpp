// SPDX-License-Identifier: BSL-1.0
// expect: x * y: an operand is a list of numbers with derivatives, which has no operators; write x[0] * y[0], or a loop, or use vectors of Eigen
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

auto slopes(const std::vector<double>& at) {
#ifdef CHAINRULE_BAD
    return tape::gradient([](const auto& x) { return x * x; }, at);
#else
    return tape::gradient([](const auto& x) { return x[0] * x[0]; }, at);
#endif
}
