// SPDX-License-Identifier: BSL-1.0
// expect: substitute: an argument does not name its variable; write substitute(f, x = g, y = h)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto composed = substitute(x * y, y);
#else
auto composed = substitute(x * y, x = y);
#endif
