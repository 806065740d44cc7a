// SPDX-License-Identifier: BSL-1.0
// expect: x = ...: an assignment does not change a variable; use it in a call, as in f(x = 2.0) or substitute(f, x = g), and give each new expression its own name
#include <chainrule/chainrule.hpp>

// Compilers warn of it, and go on.
#pragma GCC diagnostic error "-Wunused-result"

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

double cube(double at) {
#ifdef CHAINRULE_BAD
    auto s = x;
    for (int i = 0; i < 2; ++i) s = s * x;
#else
    const auto s = x * x * x;
#endif
    return s(x = at);
}
