// SPDX-License-Identifier: BSL-1.0
// expect: f = g: g does not have the type of f; write auto h = g
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto sum() {
    auto s = x * x;
    s = s + y * y;
    return s;
}
#else
auto sum() {
    auto s = x * x;
    s = x * x;
    return s + y * y;
}
#endif
