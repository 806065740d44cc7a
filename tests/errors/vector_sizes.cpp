// SPDX-License-Identifier: BSL-1.0
// expect: v + w, v - w: the operands have different sizes or shapes; use two vectors of equal size, or two matrices of equal shape
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto sum = cr::vector(x, y) + cr::vector(y, x, 1_c);
#else
auto sum = cr::vector(x, y) + cr::vector(y, x);
#endif
