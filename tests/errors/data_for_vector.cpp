// SPDX-License-Identifier: BSL-1.0
// expect: over: a vector of variables is bound to neither rows nor columns; bind a range of std::array rows, a range of columns, an Eigen matrix or table(first, rows, columns), named before the call
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
auto d = cr::over(q = xs);
#else
const std::vector<std::array<double, 3>> rows(10);
auto d = cr::over(q = rows);
#endif
