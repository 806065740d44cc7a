// SPDX-License-Identifier: BSL-1.0
// expect: repeat: a step or a cost has a variable that nothing binds; list it in state(...) or wrt(...), bind it to rows in over(...), or give it a value in given(...); a final cost has no row
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
auto run = cr::repeat(step, cr::state(x), cr::steps(3));
#else
auto run = cr::repeat(step, cr::state(x), cr::steps(3), cr::given(p = 0.5));
#endif
