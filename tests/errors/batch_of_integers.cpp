// SPDX-License-Identifier: BSL-1.0
// expect: columns: the elements of a range are integers, in which 3 / 2 is 1; keep them as float or double
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const auto b = cr::batch(cr::function(sqrt(x / y), cr::wrt(x, y)));
const std::vector<double> xs(10);
const std::vector<int> ys(10);

#ifdef CHAINRULE_BAD
auto values = b.gradient(cr::columns(ys, ys));
#else
auto values = b.gradient(cr::columns(xs, xs));
#endif
