// SPDX-License-Identifier: BSL-1.0
// expect: value_and_column_gradient: the results have another number type than the data and the point, or are const; give memory for numbers of their type
#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>

#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto a = cr::variable<"a">;

std::vector<float> xs(5, 1.0f);
#ifdef CHAINRULE_BAD
std::vector<double> to(5);
#else
std::vector<float> to(5);
#endif
double v = cr::sum(a * x * x, cr::over(x = xs), cr::wrt(a)).value_and_column_gradient(x, to, 2.0);
