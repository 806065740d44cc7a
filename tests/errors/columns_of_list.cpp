// SPDX-License-Identifier: BSL-1.0
// expect: columns: an argument is neither a number nor a range with data() and size(); pass std::vectors, std::arrays, std::spans or Eigen vectors, or column(pointer, n)
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
auto values = b.values(cr::columns(&xs, ys));
#else
auto values = b.values(cr::columns(cr::column(xs.data(), 10), ys));
#endif
