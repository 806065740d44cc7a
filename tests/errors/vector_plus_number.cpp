// SPDX-License-Identifier: BSL-1.0
// expect: v + w, v - w: the operands are not both vectors or both matrices; use two vectors or two matrices
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto sum = cr::vector(x, y) + 1_c;
#else
auto sum = cr::vector(x, y) + cr::vector(1_c, 1_c);
#endif
