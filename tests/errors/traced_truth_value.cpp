// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code returns a truth value; return a number, as in select(x < y, 1.0, 0.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function([](auto a, auto b) { return a < b; }, cr::wrt(x, y));
#else
constexpr auto F = cr::function([](auto a, auto b) { return cr::select(a < b, 1.0, 0.0); }, cr::wrt(x, y));
#endif
double value() { return F(x = 1.0, y = 2.0); }
