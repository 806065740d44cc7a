// SPDX-License-Identifier: BSL-1.0
// expect: cross: a vector does not have 3 elements; pass two vectors of 3 elements
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto product = cross(cr::vector(x, y), cr::vector(y, x));
#else
auto product = cross(cr::vector(x, y, 1_c), cr::vector(y, x, 0_c));
#endif
