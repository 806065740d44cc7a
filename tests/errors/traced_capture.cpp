// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code has captures or members, which have no values at compile time; make them inputs, or parameters as in given(k = 0.5), or use tape mode
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

double scaled(double a) {
#ifdef CHAINRULE_BAD
    cr::function([a](auto x) { return a * x; });
    return 0;
#else
    constexpr auto F = cr::function([](auto x, auto b) { return b * x; });
    return F(2.0, a);
#endif
}
