// SPDX-License-Identifier: BSL-1.0
// expect: x ^ y: expressions and numbers with derivatives have no operator ^; write pow(x, 2), or pow(x, 2_c) of an expression
#include <chainrule/dual.hpp>

constexpr auto x = chainrule::dual<double>::variable(3.0);
#ifdef CHAINRULE_BAD
auto y = x ^ 2;
#else
auto y = pow(x, 2);
#endif
