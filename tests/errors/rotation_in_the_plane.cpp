// SPDX-License-Identifier: BSL-1.0
// expect: rotation: a vector does not have 3 elements; pass vectors of 3 elements (a quaternion has 4: w, x, y, z)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto R = cr::rotation(cr::vector(x, y));
#else
auto R = cr::rotation(cr::vector(0_c, 0_c, x));
#endif
