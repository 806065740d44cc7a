// SPDX-License-Identifier: BSL-1.0
// expect: comparison: an expression is neither true nor false until its variables have values; use select(x > 0, a, b), or compare values, as in f(x = 2.0) > 0
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto f = x > 0 ? x* y : y;
#else
auto f = select(x > 0, x* y, y);
#endif
