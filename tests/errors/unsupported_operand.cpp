// SPDX-License-Identifier: BSL-1.0
// expect: operator: an operand is neither an expression nor a number; use variables, constants such as 2_c, numbers, or chainrule functions of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto sum = x + y * "2.0";
#else
auto sum = x + y * 2.0;
#endif
