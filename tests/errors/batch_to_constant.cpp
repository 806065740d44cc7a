// SPDX-License-Identifier: BSL-1.0
// expect: batch: an output is constant; give memory that can be written
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
void f(const std::vector<double>& to) { b.values(cr::columns(xs, ys), to); }
#else
void f(std::vector<double>& to) { b.values(cr::columns(xs, ys), to); }
#endif
