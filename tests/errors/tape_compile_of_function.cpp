// SPDX-License-Identifier: BSL-1.0
// expect: compile: the function is not recorded; record it first, as in compile(record(f, x), options)
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

namespace tape = chainrule::tape;

void derivatives(const std::vector<double>& x) {
    const auto f = [](const auto& v) { return v[0] * v[1]; };
#ifdef CHAINRULE_BAD
    tape::compile(f, x);
#else
    (void)tape::compile(tape::record(f, x));
#endif
}
