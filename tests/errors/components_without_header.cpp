// SPDX-License-Identifier: BSL-1.0
// expect: sum: the function of a row is a reduction over components; include <chainrule/batch/sum_over_components.hpp>
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>
#ifndef CHAINRULE_BAD
#include <chainrule/batch/sum_over_components.hpp>
#endif
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto m = cr::variable<"m">;
const std::vector<double> xs(10), ms(3);

auto s = cr::sum(cr::log_sum_exp(x - m, cr::over(m = ms), cr::wrt(x)), cr::over(x = xs));
