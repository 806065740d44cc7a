// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a variable is given an expression; give it a number, or write substitute(f, x = g)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto v = cr::variables<"v", 2>;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
double d = cr::function(k * dot(v, v), cr::wrt(v, k))(v = cr::vector(k, k), k = 1.0);
#else
double d = cr::function(k * dot(v, v), cr::wrt(v, k))(v = {1.0, 2.0}, k = 1.0);
#endif
