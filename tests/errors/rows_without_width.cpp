// SPDX-License-Identifier: BSL-1.0
// expect: rows: the argument is a range of numbers; add how many numbers one point has, as in rows(points, 2)
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto z = cr::variable<"z">;
const auto b = cr::batch(cr::function(x * y, cr::wrt(x, y)));
const std::vector<double> xs(10), ys(10);
const std::vector<float> fs(10);

#ifdef CHAINRULE_BAD
auto values = b.values(cr::rows(xs));
#else
auto values = b.values(cr::rows(xs, 2));
#endif
