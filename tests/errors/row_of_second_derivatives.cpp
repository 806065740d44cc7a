// SPDX-License-Identifier: BSL-1.0
// expect: result[v]: v is not among the variables of this Hessian; write h[x][y] or h(x, y) with two of them
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto numbers = cr::hessian(x * x)(x = 3.0);

#ifdef CHAINRULE_BAD
double d = numbers[y][x];
#else
double d = numbers[x][x];
#endif
