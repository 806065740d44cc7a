// SPDX-License-Identifier: BSL-1.0
// expect: dot: the vectors have different sizes; use two vectors of equal size
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto product = dot(cr::vector(x, y), cr::vector(y));
#else
auto product = dot(cr::vector(x, y), cr::vector(y, x));
#endif
