// SPDX-License-Identifier: BSL-1.0
// expect: piecewise: the last expression, for the case that no predicate holds, is missing, or a predicate is; write piecewise(c1, e1, c2, e2, ..., otherwise)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;

#ifdef CHAINRULE_BAD
auto f = piecewise(x < 0, -x, x < 1, x* x);
#else
auto f = piecewise(x < 0, -x, x < 1, x* x, 2 * x - 1);
#endif
