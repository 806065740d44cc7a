// SPDX-License-Identifier: BSL-1.0
// expect: newton: a variable of g is not an unknown and has no value; give it one, as in newton(g, y, start, x = 0.3)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;

#ifdef CHAINRULE_BAD
auto root = cr::newton(y * y - x, y, 1.0);
#else
auto root = cr::newton(y * y - x, y, 1.0, x = 2.0);
#endif
