// SPDX-License-Identifier: BSL-1.0
// expect: batch: each variable is one number for all points; give a column for at least one, or call the function itself
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
auto values = b.values(cr::columns(1.0, 2.0));
#else
auto values = b.values(cr::columns(xs, 2.0));
#endif
