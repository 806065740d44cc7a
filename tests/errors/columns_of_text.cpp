// SPDX-License-Identifier: BSL-1.0
// expect: columns: the elements of a range are text or ranges; convert text to numbers, and pass points that are std::arrays as rows(points)
#include <chainrule/batch.hpp>
#include <string>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
const std::vector<std::string> names(10);
const std::vector<double> xs(10);

#ifdef CHAINRULE_BAD
auto values = cr::batch(cr::function(x * x, cr::wrt(x))).values(cr::columns(names));
#else
auto values = cr::batch(cr::function(x * x, cr::wrt(x))).values(cr::columns(xs));
#endif
