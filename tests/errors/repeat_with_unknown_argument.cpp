// SPDX-License-Identifier: BSL-1.0
// expect: repeat: an argument is not one of state(...), steps(n), over(...), wrt(...), given(...), final_cost(g), running_cost(l), checkpoints(n) and workspace(memory); write repeat(step, state(x), steps(100), wrt(p))
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
auto run = cr::repeat(step, cr::state(x), cr::wrt(p), 3);
#else
auto run = cr::repeat(step, cr::state(x), cr::wrt(p), cr::steps(3));
#endif
