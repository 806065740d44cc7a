// SPDX-License-Identifier: BSL-1.0
// expect: newton: an argument is neither memory for the roots nor one of newton_options, damped, threads(n) and report(f); write b.newton(points, newton_options{.tolerance = 1e-12})
#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto s = cr::batch(cos(x) - x).newton(cr::columns(xs), 1e-12);
#else
auto s = cr::batch(cos(x) - x).newton(cr::columns(xs), cr::newton_options{.tolerance = 1e-12});
#endif
