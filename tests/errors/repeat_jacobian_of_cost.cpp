// SPDX-License-Identifier: BSL-1.0
// expect: repeat: the value is a cost, which has one value; use gradient(...), or leave out the costs for the Jacobian of the final state
#include <chainrule/chainrule.hpp>
#include <chainrule/steps.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variables<"x", 2>;
constexpr auto p = cr::variable<"p">;
constexpr auto u = cr::variable<"u">;
constexpr auto step = cr::vector(x.get<0>() + p * x.get<1>(), x.get<1>());
const std::array start{1.0, 2.0};

#ifdef CHAINRULE_BAD
auto j = cr::repeat(u * u, cr::state(u), cr::steps(3), cr::final_cost(u)).jacobian(1.0);
#else
auto j = cr::repeat(u * u, cr::state(u), cr::steps(3)).jacobian(1.0);
#endif
