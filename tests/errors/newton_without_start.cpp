// SPDX-License-Identifier: BSL-1.0
// expect: newton: the start is missing; write newton(g, y, start, x = 0.3)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto root = cr::newton(y * y - x, y);
#else
auto root = cr::newton(y * y - x, y, 1.0, x = 2.0);
#endif
