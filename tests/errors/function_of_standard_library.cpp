// SPDX-License-Identifier: BSL-1.0
// expect: double d = f: an expression is not a number until its variables have values; write f(x = 2.0), and sin(f), min(f, g), max(f, g), gradient[0] instead of std::sin, std::min, std::max, gradient[x]
#include <chainrule/chainrule.hpp>

#include <cmath>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
auto f = std::sin(x) + std::pow(x, 2.0);
#else
auto f = sin(x) + pow(x, 2.0);
#endif
