// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
double twice(double a);
#else
template <class T>
constexpr T twice(T a) {
    return 2 * a;
}
#endif

constexpr auto F = cr::function([](auto x) { return twice(x); });
