// SPDX-License-Identifier: BSL-1.0
// expect: batch: there is not one column per variable in wrt(...); give that many, in order, or name them
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto values = cr::batch(cr::function(x * y, cr::wrt(x, y))).values(cr::columns(xs));
#else
auto values = cr::batch(cr::function(x * y, cr::wrt(x, y))).values(cr::columns(xs, ys));
#endif
