// SPDX-License-Identifier: BSL-1.0
// expect: sum: the function of a row has several values; use residuals(...), or one sum per value
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto s = cr::sum(cr::vector(a * x, a), cr::over(x = xs), cr::wrt(a));
#else
auto s = cr::sum(a * x, cr::over(x = xs), cr::wrt(a));
#endif
