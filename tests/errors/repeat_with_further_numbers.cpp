// SPDX-License-Identifier: BSL-1.0
// expect: repeat: the call gives numbers after the start, but there are no parameters; list them in wrt(...), or pass the start alone
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
auto end = cr::repeat(u * u, cr::state(u), cr::steps(3))(std::array{1.0}, 2.0);
#else
auto end = cr::repeat(p * u, cr::state(u), cr::wrt(p), cr::steps(3))(std::array{1.0}, 2.0);
#endif
