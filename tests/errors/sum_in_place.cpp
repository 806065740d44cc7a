// SPDX-License-Identifier: BSL-1.0
// expect: f += g: f + g does not have the type of f; write auto h = f + g
// expect: !f: an expression is neither true nor false; compare it, as in f == 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;

void written() {
    auto f = x * x;
#ifdef CHAINRULE_BAD
    f += x;
    (void)!f;
#else
    (void)(f + x);
    (void)(f == 0);
#endif
}
