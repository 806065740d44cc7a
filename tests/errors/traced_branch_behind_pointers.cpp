// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code branches on a number, which has no value while the code is traced; choose with select(x > 0, a, b), or use tape mode, which records the branch that is taken
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

struct root {
    template <class T>
    constexpr bool operator()(const T* a, T* r) const {
#ifdef CHAINRULE_BAD
        if (a[0] < T(0)) return false;
#endif
        r[0] = sqrt(a[0]);
        return true;
    }
};
auto F = cr::function<cr::inputs<1>>(root{});
