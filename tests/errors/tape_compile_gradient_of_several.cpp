// SPDX-License-Identifier: BSL-1.0
// expect: compile: the function returns several numbers; use jacobian, or return one
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& x) {
    auto k = tape::compile(tape::record([](const auto& v) { return v; }, x));
#ifdef CHAINRULE_BAD
    return k.gradient(x);
#else
    return k.jacobian(x);
#endif
}
