// SPDX-License-Identifier: BSL-1.0
// expect: nlopt_minimise, nlopt_maximise: the function has several values; give one that returns the objective alone
#include <chainrule/chainrule.hpp>
#include <chainrule/interop/nlopt.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto one = cr::function(x * y, cr::wrt(x, y));
constexpr auto several = cr::function(cr::vector(x * y, x - y), cr::wrt(x, y));

#ifdef CHAINRULE_BAD
void set(nlopt::opt& optimiser) { cr::nlopt_minimise(optimiser, several); }
#else
void set(nlopt::opt& optimiser) { cr::nlopt_minimise(optimiser, one), cr::nlopt_inequality(optimiser, several); }
#endif
