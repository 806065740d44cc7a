// SPDX-License-Identifier: BSL-1.0
// expect: over: an argument does not bind a variable to a column; write over(t = times, y = counts)
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/over.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto d = cr::over(xs);
#else
auto d = cr::over(x = xs);
#endif
