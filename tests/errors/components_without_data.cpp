// SPDX-License-Identifier: BSL-1.0
// expect: sum: the second argument is not over(...); write sum(f, over(t = times), wrt(a))
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>
#include <chainrule/batch/sum_over_components.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto m = cr::variable<"m">;
const std::vector<double> xs(10), ms(3);

#ifdef CHAINRULE_BAD
auto s = cr::sum(cr::log_sum_exp(x - m, cr::wrt(x)), cr::over(x = xs));
#else
auto s = cr::sum(cr::log_sum_exp(x - m, cr::over(m = ms), cr::wrt(x)), cr::over(x = xs));
#endif
