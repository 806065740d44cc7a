// SPDX-License-Identifier: BSL-1.0
// expect: tape: the function returns several numbers; use jacobian(f, x), jvp or vjp, or return one
#include <chainrule/tape.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& x) {
#ifdef CHAINRULE_BAD
    return tape::gradient([](const auto& v) { return v; }, x);
#else
    return tape::gradient([](const auto& v) { return v[0]; }, x);
#endif
}
