// SPDX-License-Identifier: BSL-1.0
// expect: repeat: the traced code does not take the variables of state(...), over(...), wrt(...) and given(...) in this order; give it one argument for each, an array for a vector of variables; a final cost has no row
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
auto run = cr::repeat([](auto q, auto a, auto) { return a * q; }, cr::state(u), cr::wrt(p), cr::steps(3));
#else
auto run = cr::repeat([](auto q, auto a) { return a * q; }, cr::state(u), cr::wrt(p), cr::steps(3));
#endif
