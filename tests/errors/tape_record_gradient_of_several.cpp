// SPDX-License-Identifier: BSL-1.0
// expect: record: the function returns several numbers; use jacobian, jvp or vjp, or return one
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& x) {
    auto r = tape::record([](const auto& v) { return v; }, x);
#ifdef CHAINRULE_BAD
    return r.gradient(x);
#else
    return r.jacobian(x);
#endif
}
