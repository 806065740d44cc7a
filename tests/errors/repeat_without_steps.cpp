// SPDX-License-Identifier: BSL-1.0
// expect: repeat: the number of steps is missing; write steps(1000), or bind a row of data to each step, as in over(u = controls)
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
auto run = cr::repeat(step, cr::state(x), cr::wrt(p));
#else
auto run = cr::repeat(step, cr::state(x), cr::wrt(p), cr::steps(3));
#endif
