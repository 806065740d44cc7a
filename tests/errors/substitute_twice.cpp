// SPDX-License-Identifier: BSL-1.0
// expect: substitute: a variable is replaced twice; give each variable one expression
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto composed = substitute(x * y, x = y, x = 1_c);
#else
auto composed = substitute(x * y, x = y, y = 1_c);
#endif
