// SPDX-License-Identifier: BSL-1.0
// expect: x * y: an operand is a list of numbers with derivatives, which has no operators; write x[0] * y[0], or a loop, or use vectors of Eigen
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

auto recorded() {
#ifdef CHAINRULE_BAD
    return tape::record([](const auto& x) { return 2.0 * x; }, std::array{1.0, 2.0});
#else
    return tape::record([](const auto& x) { return std::array{2.0 * x[0], 2.0 * x[1]}; }, std::array{1.0, 2.0});
#endif
}
