// SPDX-License-Identifier: BSL-1.0
// expect: batch: the names of the columns are not the variables in wrt(...), with parameters in given(...) if they have columns; name each variable once
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
auto values = b.values(cr::columns(x = xs, z = ys));
#else
auto values = b.values(cr::columns(x = xs, y = ys));
#endif
