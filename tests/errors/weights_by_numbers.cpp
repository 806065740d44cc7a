// SPDX-License-Identifier: BSL-1.0
// expect: weights, mask: the argument is not a variable; bind the column to one, as in over(x = xs, u = us), and write weights(u)
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
auto s = cr::sum(a * x, cr::over(x = xs, y = ys), cr::wrt(a), cr::weights(ys));
#else
auto s = cr::sum(a * x, cr::over(x = xs, y = ys), cr::wrt(a), cr::weights(y));
#endif
