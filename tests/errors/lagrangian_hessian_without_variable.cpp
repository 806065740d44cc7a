// SPDX-License-Identifier: BSL-1.0
// expect: function: f has a variable that is neither in wrt(...) nor in given(...); add it to one of them, as in function(f, wrt(x), given(k = 0.3))
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;

#ifdef CHAINRULE_BAD
constexpr auto F = cr::function(cr::vector(x * x * y, sin(x) + y), cr::wrt(x));
auto second = F.lagrangian_hessian(std::array{1.0}, std::array{1.0, 0.5});
#else
constexpr auto F = cr::function(cr::vector(x * x * y, sin(x) + y), cr::wrt(x, y));
auto second = F.lagrangian_hessian(std::array{1.0, 2.0}, std::array{1.0, 0.5});
#endif
