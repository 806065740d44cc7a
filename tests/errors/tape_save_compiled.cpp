// SPDX-License-Identifier: BSL-1.0
// expect: save: the recording is compiled; save what record(f, x) returned, and compile what load(in) returns
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>
#include <chainrule/tape/save.hpp>

namespace tape = chainrule::tape;

void write(const std::vector<double>& x, std::ostream& out) {
    const auto r = tape::record([](const auto& v) { return v[0] * v[1]; }, x);
#ifdef CHAINRULE_BAD
    tape::save(tape::compile(r), out);
#else
    tape::save(r, out);
#endif
}
