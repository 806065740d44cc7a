// SPDX-License-Identifier: BSL-1.0
// expect: prod, max, min: rows have weights, which products and maxima do not have; use mask(...), or make them a part of the formula
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
auto s = cr::prod(a * x, cr::over(x = xs, y = ys), cr::wrt(a), cr::weights(y));
#else
auto s = cr::sum(a * x, cr::over(x = xs, y = ys), cr::wrt(a), cr::weights(y));
#endif
