// SPDX-License-Identifier: BSL-1.0
// expect: repeat: gradients and Hessian products need a cost; add final_cost(...) or running_cost(...), or use vjp(...)
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
auto g = cr::repeat(u * u, cr::state(u), cr::steps(3)).gradient(1.0);
#else
auto g = cr::repeat(u * u, cr::state(u), cr::steps(3), cr::final_cost(u)).gradient(1.0);
#endif
