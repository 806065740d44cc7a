// SPDX-License-Identifier: BSL-1.0
// expect: function: the arguments do not fit the variables in wrt(...); pass a number for each variable or a range for each vector of variables, in their order, or name them, as in F(x = 2.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto q = cr::variables<"q", 3>;
constexpr auto t = cr::variable<"t">;
constexpr auto F = cr::function(t * dot(q, q), q, t);
constexpr std::array<double, 3> at = {1.0, 2.0, 3.0};

#ifdef CHAINRULE_BAD
auto gradient = F.gradient(2.0, at);
#else
auto gradient = F.gradient(at, 2.0);
#endif
