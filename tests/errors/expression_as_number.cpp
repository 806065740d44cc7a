// SPDX-License-Identifier: BSL-1.0
// expect: double d = f: an expression is not a number until its variables have values; write f(x = 2.0), and sin(f), min(f, g), max(f, g), gradient[0] instead of std::sin, std::min, std::max, gradient[x]
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
double d = x * y;
#else
double d = (x * y)(x = 2.0, y = 5.0);
#endif
