// SPDX-License-Identifier: BSL-1.0
// expect: over_fits: an argument does not bind a variable to data; write over_fits(t = times, y = rows(counts, 14))
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
auto s = cr::over_fits(xs, ys);
#else
auto s = cr::over_fits(x = xs, y = ys);
#endif
