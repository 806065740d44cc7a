// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code has more than 256 operations, too many for an expression; use the derivatives of the function, or call expressions inside the traced code
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto F = cr::function([](auto u) {
    for (int i = 0; i < 300; ++i) u = sin(u);
    return u;
});

#ifdef CHAINRULE_BAD
using expression = decltype(F(x * x));
#else
constexpr auto G = cr::function([](auto u) { return F((x * x)(x = u)); });
#endif
