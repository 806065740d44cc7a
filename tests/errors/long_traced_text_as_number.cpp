// SPDX-License-Identifier: BSL-1.0
// expect: function: the traced code uses text as a number; write a number, as in 2.0
#include "long_traced.hpp"

#ifdef CHAINRULE_BAD
auto G = cr::function([](auto a, auto b) { return repeated(a, a, b, a) * std::string("2"); });
#else
auto G = cr::function([](auto a, auto b) { return repeated(a, a, b, a) * 2; });
#endif
