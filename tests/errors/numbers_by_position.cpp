// SPDX-License-Identifier: BSL-1.0
// expect: result[v]: v is not a variable; write r[x], or r[q[3_c]] of a vector of variables, and r.values[3] for the fourth number
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto q = cr::variables<"q", 2>;
constexpr auto numbers = cr::gradient(dot(q, q), q)(q = {1.0, 2.0});

#ifdef CHAINRULE_BAD
auto slope = numbers[1];
#else
auto slope = numbers.values[1];
#endif
