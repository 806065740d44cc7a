// SPDX-License-Identifier: BSL-1.0
// expect: pow(x, y, z): a power has a base and an exponent; write pow(x, y), or pow(pow(x, y), z)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto f = pow(x, 2, 3);
#else
auto f = pow(pow(x, 2), 3);
#endif
