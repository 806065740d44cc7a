// SPDX-License-Identifier: BSL-1.0
// expect: F.gradient(...), F.jvp(...) and others: an argument is an expression or a vector of them; pass numbers, or write gradient(F(x, y)) for derivatives as expressions
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto g = F.gradient(cr::vector(x, x* y));
#else
auto g = cr::gradient(F(cr::vector(x, x* y)));
#endif
