// SPDX-License-Identifier: BSL-1.0
// expect: openmp: the compiler's OpenMP is off; add its option, as -fopenmp, or use threads(n) of chainrule/batch/threads.hpp
#include <chainrule/batch.hpp>
#include <chainrule/batch/openmp.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::vector<double> xs(10);

#ifdef CHAINRULE_BAD
auto all = cr::sum(x * x, cr::over(x = xs), cr::openmp());
#else
auto all = cr::sum(x * x, cr::over(x = xs), cr::threads());
#endif
