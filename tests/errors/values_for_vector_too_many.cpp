// SPDX-License-Identifier: BSL-1.0
// expect: f(...): a vector of variables is given more or fewer numbers than it has; give it one for each
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto v = cr::variables<"v", 2>;
constexpr auto k = cr::variable<"k">;

#ifdef CHAINRULE_BAD
double d = dot(v, v)(v = {1.0, 2.0, 3.0});
#else
double d = dot(v, v)(v = {1.0, 2.0});
#endif
