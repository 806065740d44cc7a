// SPDX-License-Identifier: BSL-1.0
// expect: over_fits: a variable is bound to two columns; bind each variable once
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
auto s = cr::over_fits(x = xs, x = ys);
#else
auto s = cr::over_fits(x = xs, y = ys);
#endif
