// SPDX-License-Identifier: BSL-1.0
// expect: over: a column is not a range of numbers in memory; bind a std::vector, a std::span, an array, an Eigen vector or column(first, size, stride), named before the call
#include <chainrule/batch.hpp>
#include <string>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::vector<std::string> names(10);
const std::vector<double> xs(10);

#ifdef CHAINRULE_BAD
auto total = cr::sum(x * x, cr::over(x = names));
#else
auto total = cr::sum(x * x, cr::over(x = xs));
#endif
