// SPDX-License-Identifier: BSL-1.0
// expect: compile: the recording does not compute in double; record at numbers of type double
#include <chainrule/tape.hpp>
#include <chainrule/tape/compile.hpp>

namespace tape = chainrule::tape;

void derivatives(const std::vector<float>& x) {
#ifdef CHAINRULE_BAD
    (void)tape::compile(tape::record([](const auto& v) { return v[0]; }, x));
#else
    (void)tape::compile(tape::record([](const auto& v) { return v[0]; }, std::vector<double>(x.begin(), x.end())));
#endif
}
