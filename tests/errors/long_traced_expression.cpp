// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code uses an expression of variables as a number; use the arguments of the code, or call the expression with them, as in f(x = a)
#include "long_traced.hpp"

#ifdef CHAINRULE_BAD
auto G = cr::function([](auto a, auto b) { return repeated(a, a, b, a) * sin(x * y); });
#else
auto G = cr::function([](auto a, auto b) { return repeated(a, a, b, a) * sin(x * y)(x = a, y = b); });
#endif
