// SPDX-License-Identifier: BSL-1.0
// expect: columns: x = v is given a temporary range, whose numbers will be gone; keep it in a variable
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
auto in = cr::columns(x = std::vector<double>(10), y = ys);
#else
auto in = cr::columns(x = xs, y = ys);
#endif
