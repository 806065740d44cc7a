// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code switches on a number, which has no value while the code is traced; choose with select(x == 1, a, b), or use tape mode
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) {
    switch (x) {
    case 1: return x;
    default: return -x;
    }
}));
#else
constexpr auto F = cr::function([](auto x) { return select(x == 1, x, -x); });
#endif
