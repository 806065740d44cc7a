// SPDX-License-Identifier: BSL-1.0
// expect: f.gradient(...): an expression has no order of variables; write gradient(f)(x = 2.0, y = 5.0), or function(f, wrt(x, y)).gradient(2.0, 5.0)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto f = x * y;

#ifdef CHAINRULE_BAD
auto g = f.gradient(2.0, 5.0);
#else
auto g = function(f, cr::wrt(x, y)).gradient(2.0, 5.0);
#endif
