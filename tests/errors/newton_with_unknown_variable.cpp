// SPDX-License-Identifier: BSL-1.0
// expect: newton: a value is given for a variable that does not occur in g; remove it or check its name
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

#ifdef CHAINRULE_BAD
auto root = cr::newton(y * y - x, y, 1.0, x = 2.0, z = 1.0);
#else
auto root = cr::newton(y * y - x, y, 1.0, x = 2.0);
#endif
