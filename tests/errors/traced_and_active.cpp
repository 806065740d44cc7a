// SPDX-License-Identifier: BSL-1.0
// expect: traced: the expression has active numbers of another type; make all its variables with trace.variable(...)
#include <chainrule/chainrule.hpp>
#include <chainrule/tape/trace.hpp>

namespace cr = chainrule;
cr::tape::tape tape;
cr::tape::trace trace;

int main() {
#ifdef CHAINRULE_BAD
    auto x = tape.variable(2.0);
#else
    auto x = trace.variable(2.0);
#endif
    cr::tape::traced<double> f = x * x;
    (void)f;
}
