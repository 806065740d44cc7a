// SPDX-License-Identifier: BSL-1.0
// expect: batch: a direction does not have one number per variable, or weights one per expression; give that many
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
auto along = b.jvp(cr::columns(xs, ys), std::array{1.0});
#else
auto along = b.jvp(cr::columns(xs, ys), std::array{1.0, 0.0});
#endif
