// SPDX-License-Identifier: BSL-1.0
// expect: vjp, lagrangian_hessian: the weights do not have one number per expression of the function; pass that many
#include <chainrule/chainrule.hpp>

#include <array>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(cr::vector(x * x * y, sin(x) + y, exp(x - y)), cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto second = F.lagrangian_hessian(std::array{1.0, 2.0}, std::array{1.0, 0.5});
#else
auto second = F.lagrangian_hessian(std::array{1.0, 2.0}, std::array{1.0, 0.5, 0.25});
#endif
