// SPDX-License-Identifier: BSL-1.0
// expect: sum: the variables in wrt(...) of the reduction over components are not those of over(...) and wrt(...) of the sum; bind or list each of them once
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto m = cr::variable<"m">;
const std::vector<double> xs(10), ms(3);

constexpr auto a = cr::variable<"a">;
#ifdef CHAINRULE_BAD
auto s = cr::sum(cr::log_sum_exp(a * x - m, cr::over(m = ms), cr::wrt(x, a)), cr::over(x = xs));
#else
auto s = cr::sum(cr::log_sum_exp(a * x - m, cr::over(m = ms), cr::wrt(x, a)), cr::over(x = xs), cr::wrt(a));
#endif
