// SPDX-License-Identifier: BSL-1.0
// expect: select: a member of the arms is a plain number, which a condition cannot choose; let it be a number of the code, as in T count
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

template <class T>
struct interval {
    T width;
#ifdef CHAINRULE_BAD
    int count;
#else
    T count;
#endif
};

constexpr auto F = cr::function([](auto x) {
    using part = interval<decltype(x)>;
    return select(x > 0, part{x, 1}, part{2 * x, 2}).width;
});
