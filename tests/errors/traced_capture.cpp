// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code has captures or members, which have no values at compile time; declare a captured constant static constexpr, name what changes, as in function([a](auto x) { return a * x; }, members(a)), or use tape mode
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

double scaled(double a) {
#ifdef CHAINRULE_BAD
    cr::function([a](auto x) { return a * x; });
    return 0;
#else
    auto F = cr::function([a](auto x) { return a * x; }, cr::members(cr::variable<"a">));
    return F(2.0);
#endif
}
