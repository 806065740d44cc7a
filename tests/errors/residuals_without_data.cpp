// SPDX-License-Identifier: BSL-1.0
// expect: residuals: the second argument is not over(...); write residuals(r, over(t = times), wrt(a))
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/residuals.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto s = cr::residuals(a * x, xs, cr::wrt(a));
#else
auto s = cr::residuals(a * x, cr::over(x = xs), cr::wrt(a));
#endif
