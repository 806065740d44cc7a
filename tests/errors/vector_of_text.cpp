// SPDX-License-Identifier: BSL-1.0
// expect: operator: an operand is neither an expression nor a number; use variables, constants such as 2_c, numbers, or chainrule functions of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
constexpr auto v = cr::vector("a", x);
#else
constexpr auto v = cr::vector(2.0, x);
#endif
