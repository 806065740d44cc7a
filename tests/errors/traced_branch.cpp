// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code branches on a number, which has no value while the code is traced; choose with select(x > 0, a, b), or use tape mode, which records the branch that is taken
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) {
    if (x > 0) return x * x;
    return -x;
}));
#else
constexpr auto F = cr::function([](auto x) { return select(x > 0, x * x, -x); });
#endif
