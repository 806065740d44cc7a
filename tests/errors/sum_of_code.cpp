// SPDX-License-Identifier: BSL-1.0
// expect: sum, residuals, fits: the traced code does not take the variables of over(...), wrt(...) and given(...) in this order; give it one argument for each, an array for a vector of variables
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
auto s = cr::sum([](auto u) { return u; }, cr::over(x = xs), cr::wrt(a));
#else
auto s = cr::sum([](auto u, auto v) { return u * v; }, cr::over(x = xs), cr::wrt(a));
#endif
