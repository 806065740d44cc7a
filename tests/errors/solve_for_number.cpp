// SPDX-License-Identifier: BSL-1.0
// expect: solve: the right-hand side is not a vector or matrix; pass one with as many rows as the matrix
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto solution = solve(cr::identity<2>, x);
#else
auto solution = solve(cr::identity<2>, cr::vector(x, y));
#endif
