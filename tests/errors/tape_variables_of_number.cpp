// SPDX-License-Identifier: BSL-1.0
// expect: variables(2.0): a number is not a list; write t.variable(2.0), t.variables({2.0, 5.0}), or t.variables(std::vector(n, 0.0)) for n variables
#include <chainrule/tape.hpp>
#include <vector>

namespace tape = chainrule::tape;

auto three(tape::tape& t) {
#ifdef CHAINRULE_BAD
    return t.variables(3);
#else
    return t.variables(std::vector(3, 0.0));
#endif
}
