// SPDX-License-Identifier: BSL-1.0
// expect: r.gradient(x): the arguments are not a point as at the recording, or memory for results is wrong; pass as many lists and numbers, and memory after one list only
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

#include <vector>

namespace tape = chainrule::tape;

constexpr auto product = [](const auto& x) { return x[0] * x[1]; };

auto slope(const std::vector<double>& at) {
    auto r = tape::record(product, at);
#ifdef CHAINRULE_BAD
    return r.gradient(at, 2.0);
#else
    return r.gradient(at);
#endif
}
