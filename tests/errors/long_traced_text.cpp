// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
#include "long_traced.hpp"

#ifdef CHAINRULE_BAD
auto G = cr::function([](auto a, auto b) {
    std::string text = std::to_string(a);
    (void)text;
    return repeated(a, a, b, a);
});
#else
auto G = cr::function([](auto a, auto b) { return repeated(a, a, b, a); });
#endif
