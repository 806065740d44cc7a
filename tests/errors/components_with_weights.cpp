// SPDX-License-Identifier: BSL-1.0
// expect: sum: a sum of a reduction over components takes over(...) and wrt(...) alone; leave out weights, masks, threads and chunks, and give parameters to the reduction
// at most 5120 bytes on clang: the types of the call are long
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
auto s = cr::sum(cr::log_sum_exp(x - m, cr::over(m = ms), cr::wrt(x)), cr::over(x = xs), cr::weights(x));
#else
auto s = cr::sum(cr::log_sum_exp(x - m, cr::over(m = ms), cr::wrt(x)), cr::over(x = xs));
#endif
