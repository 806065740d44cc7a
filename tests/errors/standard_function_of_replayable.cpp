// SPDX-License-Identifier: BSL-1.0
// expect: std::sin(x): a function or variable of plain numbers would lose the derivatives of x; write sin(x), with using std::sin where x may be plain too, or pass its value
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <cmath>

namespace tape = chainrule::tape;

auto recorded(const std::vector<double>& at) {
    const auto f = [](const auto& x) {
#ifdef CHAINRULE_BAD
        return std::pow(x[0], 2) + std::exp(x[1]);
#else
        return pow(x[0], 2) + exp(x[1]);
#endif
    };
    return tape::record(f, at);
}
