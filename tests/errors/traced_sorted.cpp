// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code branches on a number, which has no value while the code is traced; choose with select(x > 0, a, b), or use tape mode, which records the branch that is taken
// at most 39 lines on clang: ten calls between the comparison and the code, eight of them in std::sort
// at most 4608 bytes on clang: their names
#include <chainrule/chainrule.hpp>

#include <algorithm>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto F = cr::function<2>([](auto q) {
    std::sort(q.begin(), q.end());
    return q[1];
});
#else
auto F = cr::function<2>([](auto q) { return max(q[0], q[1]); });
#endif
