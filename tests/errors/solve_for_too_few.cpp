// SPDX-License-Identifier: BSL-1.0
// expect: solve: the right-hand side does not have one row or element per row of the matrix; pass that many
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto solution = solve(cr::identity<2>, cr::vector(x));
#else
auto solution = solve(cr::identity<2>, cr::vector(x, y));
#endif
