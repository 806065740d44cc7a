// SPDX-License-Identifier: BSL-1.0
// expect: final_cost, running_cost: the cost has several values; pass one expression, or code that returns one number
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
auto run = cr::repeat(u * u, cr::state(u), cr::steps(3), cr::final_cost(cr::vector(u, u)));
#else
auto run = cr::repeat(u * u, cr::state(u), cr::steps(3), cr::final_cost(u + u));
#endif
