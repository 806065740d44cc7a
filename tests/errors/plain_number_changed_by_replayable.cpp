// SPDX-License-Identifier: BSL-1.0
// expect: s += x: the plain number s would lose the derivatives of x; give s the type of x, or use value(x)
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

auto recorded(const std::vector<double>& at) {
    const auto squares = [](const auto& x) {
#ifdef CHAINRULE_BAD
        double s = 0.0;
#else
        std::remove_cvref_t<decltype(x[0])> s = 0.0;
#endif
        for (const auto& v : x) s += v * v;
        return s;
    };
    return tape::record(squares, at);
}
