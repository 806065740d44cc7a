// SPDX-License-Identifier: BSL-1.0
// expect: fits: the second argument is not over_fits(...); write fits(r, over_fits(t = times, y = rows(counts, 14)), wrt(a, b))
#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
const std::vector<double> xs(10), ys(10);
const std::vector<float> fs(10);

#ifdef CHAINRULE_BAD
auto s = cr::fits(y - a * x, cr::over(x = xs, y = ys), cr::wrt(a));
#else
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a));
#endif
