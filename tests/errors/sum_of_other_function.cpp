// SPDX-License-Identifier: BSL-1.0
// expect: sum, residuals, fits: the variables of the function differ from those of over(...), wrt(...) and given(...) in name and number; bind its own, or as many in its order
#include <chainrule/batch/sum.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto p = cr::variable<"p">;
constexpr auto q = cr::variable<"q">;
constexpr auto F = cr::function(p * q - a, cr::wrt(p, q, a));
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
const auto loss = cr::sum(F, cr::over(x = xs), cr::wrt(a));
#else
const auto loss = cr::sum(F, cr::over(x = xs, y = ys), cr::wrt(a));
#endif
