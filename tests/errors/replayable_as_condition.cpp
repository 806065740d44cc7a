// SPDX-License-Identifier: BSL-1.0
// expect: if (x): a number with derivatives is neither true nor false; compare it, as in x != 0
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

auto recorded(const std::vector<double>& at) {
    const auto quotient = [](const auto& x) {
#ifdef CHAINRULE_BAD
        return x[0] ? x[1] / x[0] : x[1];
#else
        return x[0] != 0 ? x[1] / x[0] : x[1];
#endif
    };
    return tape::record(quotient, at);
}
