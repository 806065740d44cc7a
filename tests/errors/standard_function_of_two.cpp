// SPDX-License-Identifier: BSL-1.0
// expect: double d = f: an expression is not a number until its variables have values; write f(x = 2.0), and sin(f), min(f, g), max(f, g), gradient[0] instead of std::sin, std::min, std::max, gradient[x]
#include <chainrule/chainrule.hpp>

#include <cmath>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto f = std::hypot(x, y, x* y);
#else
auto f = hypot(x, y, x* y);
#endif
