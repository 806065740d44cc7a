// SPDX-License-Identifier: BSL-1.0
// expect: std::cout << g, to_string(g): a gradient, vector or another result of several parts has no text; print its parts, as in g[x], v[0_c] or result.value
#include <chainrule/chainrule.hpp>

#include <iostream>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

void print() {
    const auto result = cr::value_and_gradient(x * y)(x = 1.0, y = 2.0);
#ifdef CHAINRULE_BAD
    std::cout << result;
#else
    std::cout << result.value << result[x];
#endif
}
