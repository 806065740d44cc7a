// SPDX-License-Identifier: BSL-1.0
// expect: v / w: the divisor is a vector or a matrix; divide by a number, or use solve(A, v) or inverse(A)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto quotient = cr::vector(x, y) / cr::vector(y, x);
#else
auto quotient = cr::vector(x, y) / x;
#endif
