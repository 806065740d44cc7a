// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code makes a plain number of a traced one, which has no value while the code is traced; write auto or T instead of double, sin(x) with using std::sin instead of std::sin(x), and select(x < 1, a, b) instead of v[x]
#include <chainrule/chainrule.hpp>

#include <iostream>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

constexpr auto F = cr::function(
    [](auto a, auto b) {
#ifdef CHAINRULE_BAD
        std::cout << a;
#endif
        return a * b;
    },
    cr::wrt(x, y));
double value() { return F(x = 1.0, y = 2.0); }
