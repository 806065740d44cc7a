// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
#include <chainrule/chainrule.hpp>

#include <cmath>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
using function = decltype(cr::function([](auto x) {
    double doubled = 2 * x;
    return sin(doubled);
}));
#else
using function = decltype(cr::function([](auto x) {
    using std::sin, std::pow, std::fma, std::max;
    auto doubled = 2 * x;
    return sin(doubled) + pow(x, 2) + pow(2.0, x) + fma(x, 2.0, doubled) + max(x, decltype(x)(0));
}));
#endif
