// SPDX-License-Identifier: BSL-1.0
// expect: batch: the second argument is not one of threads(n), an execution policy and openmp(n), or its header is missing; write batch(F, threads(4)), and pass points to its members
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::vector<double> xs(10);

#ifdef CHAINRULE_BAD
auto values = cr::batch(cr::function(x * x, cr::wrt(x)), cr::columns(xs));
#else
auto values = cr::batch(cr::function(x * x, cr::wrt(x)), cr::threads(2)).values(cr::columns(xs));
#endif
