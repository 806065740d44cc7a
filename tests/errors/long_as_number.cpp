// SPDX-License-Identifier: BSL-1.0
// expect: double d = f: an expression is not a number until its variables have values; write f(x = 2.0), and sin(f), min(f, g), max(f, g), gradient[0] instead of std::sin, std::min, std::max, gradient[x]
#include "long_expression.hpp"

#ifdef CHAINRULE_BAD
double value = f;
#else
auto g = f * x;
#endif
