// SPDX-License-Identifier: BSL-1.0
// expect: f(...): the value of a variable is not a number; pass a number, as in f(x = 2.0)
#include <chainrule/chainrule.hpp>

#include <iostream>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
void print() { std::cout << (x * y)(x = 1.0, y = "2") << '\n'; }
#else
void print() { std::cout << (x * y)(x = 1.0, y = 2.0) << '\n'; }
#endif
