// SPDX-License-Identifier: BSL-1.0
// expect: v * w: the left operand is a vector and the right operand is not a number; write dot(v, w), cross(v, w) or outer(v, w) for vectors, and transpose(A) * v for v * A
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto product = cr::vector(x, y) * cr::vector(y, x);
#else
auto product = dot(cr::vector(x, y), cr::vector(y, x));
#endif
