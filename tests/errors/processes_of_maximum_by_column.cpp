// SPDX-License-Identifier: BSL-1.0
// expect: value_and_column_gradient: the rows are those of several processes, and only sum and log_sum_exp take these; use one of them, or one process
#include <chainrule/batch/sum.hpp>
#include <chainrule/chainrule.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
std::vector<double> xs(10), to(10);

struct two_processes {
    static constexpr bool several = true;
};
template <>
inline constexpr bool cr::batches::is_processes<two_processes> = true;

#ifdef CHAINRULE_BAD
double m = cr::max(x * x, cr::over(x = xs), two_processes{}).value_and_column_gradient(x, to);
#else
double m = cr::max(x * x, cr::over(x = xs)).value_and_column_gradient(x, to);
#endif
