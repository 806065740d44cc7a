// SPDX-License-Identifier: BSL-1.0
// expect: comparison: an expression is neither true nor false until its variables have values; use select(x > 0, a, b), or compare values, as in f(x = 2.0) > 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
double magnitude(double v) { return x > 0 ? v : -v; }
#else
auto magnitude = select(x > 0, x, -x);
#endif
