// SPDX-License-Identifier: BSL-1.0
// expect: select: the number of arguments is not three; write select(x > 0, a, b), or piecewise(c1, e1, c2, e2, ..., otherwise)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
constexpr auto f = select(x > 0, x);
#else
constexpr auto f = select(x > 0, x, 0);
#endif
