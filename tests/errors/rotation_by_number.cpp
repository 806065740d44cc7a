// SPDX-License-Identifier: BSL-1.0
// expect: rotation: an argument is not a vector; pass vectors of 3 elements, or of 4 for a quaternion
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto turned = rotate(x, cr::vector(0_c, 0_c, x));
#else
auto turned = rotate(cr::vector(x, y, 0_c), cr::vector(0_c, 0_c, x));
#endif
