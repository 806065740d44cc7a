// SPDX-License-Identifier: BSL-1.0
// expect: over_fits: the numbers of the data do not follow one another in memory, as those of a range of ranges or of bools; copy them into one std::vector, as in y = rows(numbers, 14), and bools into unsigned chars
#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const std::vector<double> xs(4), ys(12);
const std::vector<std::vector<double>> nested(3, xs);

#ifdef CHAINRULE_BAD
auto s = cr::over_fits(x = xs, y = nested);
#else
auto s = cr::over_fits(x = xs, y = cr::rows(ys, 4));
#endif
