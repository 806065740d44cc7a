// SPDX-License-Identifier: BSL-1.0
// expect: ipopt_problem, constrain, cvodes_system: the list in braces does not have one number per variable, constraint or parameter; give as many, or fill(number)
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/ipopt.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(cr::vector(x * y, x + y, x), cr::wrt(x, y));

#ifdef CHAINRULE_BAD
void fill(cr::ipopt_problem<decltype(F)>& problem) { problem.start = {1}; }
#else
void fill(cr::ipopt_problem<decltype(F)>& problem) { problem.start = {1, 2}, problem.constraint_upper = {3.0, 4.0}; }
#endif
