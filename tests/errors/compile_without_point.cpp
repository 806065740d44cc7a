// SPDX-License-Identifier: BSL-1.0
// expect: compile: the function is not recorded; record it first, as in compile(record(f, x), options)
#include <chainrule/tape/compile.hpp>

#include <vector>

namespace tape = chainrule::tape;

void code(const std::vector<double>& at) {
    const auto f = [](const auto& x) { return x[0] * x[1]; };
#ifdef CHAINRULE_BAD
    tape::compile(f);
#else
    (void)tape::compile(tape::record(f, at));
#endif
}
