// SPDX-License-Identifier: BSL-1.0
// expect: batch: inputs, directions and outputs hold numbers of different types; give all of them one type, float or double
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
void f(std::vector<float>& to) { b.values(cr::columns(xs, ys), to); }
#else
void f(std::vector<float>& to) { b.values(cr::columns(fs, fs), to); }
#endif
