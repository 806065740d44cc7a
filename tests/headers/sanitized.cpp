// SPDX-License-Identifier: BSL-1.0
//
// Programs are derived in constant expressions with sanitizers too: with -fsanitize=undefined, g++ 12 compares no
// address of a constant with nullptr there.
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(log(x) + x * y - sin(y), cr::wrt(x, y));

constexpr auto traced = cr::function([](auto u) {
    const decltype(u) two = 2, root = sqrt(two);
    return u * root;
});

double slope(double at) { return F.gradient(at, 2.0)[0] + F.hessian(at, 2.0)[0][1] + traced.gradient(at)[0]; }
