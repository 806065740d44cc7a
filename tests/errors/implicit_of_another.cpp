// SPDX-License-Identifier: BSL-1.0
// expect: implicit_derivative: g does not depend on the unknown, so g = 0 does not define it; check which variable is the unknown
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto slope = cr::implicit_derivative(x * x - 1_c, y, x);
#else
auto slope = cr::implicit_derivative(x * y - 1_c, y, x);
#endif
