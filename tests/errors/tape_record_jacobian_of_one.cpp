// SPDX-License-Identifier: BSL-1.0
// expect: record: the function returns one number; use gradient, or return a list of numbers
#include <chainrule/tape.hpp>
#include <chainrule/tape/replay.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& x) {
    auto r = tape::record([](const auto& v) { return v[0]; }, x);
#ifdef CHAINRULE_BAD
    return r.jacobian(x);
#else
    return r.gradient(x);
#endif
}
