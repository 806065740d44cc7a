// SPDX-License-Identifier: BSL-1.0
// expect: select: the condition is a bool, but the arms are expressions; compare expressions, as in select(x > 0, a, b)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
auto f = select(2 > 1, x, -x);
#else
auto f = select(x > 1, x, -x);
#endif
