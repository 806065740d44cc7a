// SPDX-License-Identifier: BSL-1.0
// expect: compile: the function returns one number; use gradient, or return a list of numbers
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

namespace tape = chainrule::tape;

auto derivatives(const std::vector<double>& x) {
    auto k = tape::compile(tape::record([](const auto& v) { return v[0]; }, x));
#ifdef CHAINRULE_BAD
    return k.jacobian(x);
#else
    return k.gradient(x);
#endif
}
