// SPDX-License-Identifier: BSL-1.0
// expect: F.gradient(...), F.jvp(...) and others: an argument is an expression or a vector of them; pass numbers, or write gradient(F(x, y)) for derivatives as expressions
#include <chainrule/chainrule.hpp>
#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto f = F(std::array{x, x});
#else
auto f = F(cr::vector(x, x));
#endif
