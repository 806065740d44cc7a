// SPDX-License-Identifier: BSL-1.0
// expect: to 'double'
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

auto recorded() {
#ifdef CHAINRULE_BAD
    return chainrule::tape::record(
        [](const auto& x) {
            double y = x * 2.0;
            return y * x;
        },
        1.0);
#else
    return chainrule::tape::record(
        [](const auto& x) {
            auto y = x * 2.0;
            return y * x;
        },
        1.0);
#endif
}
