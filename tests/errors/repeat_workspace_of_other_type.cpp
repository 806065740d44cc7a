// SPDX-License-Identifier: BSL-1.0
// expect: workspace: its numbers are not of the type of the computation; pass a std::vector, std::span or std::array of that type
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
std::vector<float> memory;
auto g = cr::repeat(u * u, cr::state(u), cr::steps(3), cr::final_cost(u), cr::workspace(memory)).gradient(1.0);
#else
std::vector<double> memory;
auto g = cr::repeat(u * u, cr::state(u), cr::steps(3), cr::final_cost(u), cr::workspace(memory)).gradient(1.0);
#endif
