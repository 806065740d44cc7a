// SPDX-License-Identifier: BSL-1.0
// expect: sum: a sum of a reduction over components takes weights, masks and threads of the rows alone; give parameters to the reduction, but no options, and leave out compensated, chunks and processes
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto m = cr::variable<"m">;
const std::vector<double> xs(10), ms(3);

#ifdef CHAINRULE_BAD
auto s = cr::sum(cr::log_sum_exp(x - m, cr::over(m = ms), cr::wrt(x), cr::weights(m)), cr::over(x = xs));
#else
auto s = cr::sum(cr::log_sum_exp(x - m, cr::over(m = ms), cr::wrt(x)), cr::over(x = xs), cr::weights(x));
#endif
