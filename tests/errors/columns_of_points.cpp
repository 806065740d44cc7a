// SPDX-License-Identifier: BSL-1.0
// expect: columns: the elements of a range are text or ranges; convert text to numbers, and pass points that are std::arrays as rows(points)
#include <chainrule/batch.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const std::vector<std::array<double, 2>> points(10);

#ifdef CHAINRULE_BAD
auto values = cr::batch(cr::function(x * y, cr::wrt(x, y))).values(cr::columns(points, points));
#else
auto values = cr::batch(cr::function(x * y, cr::wrt(x, y))).values(cr::rows(points));
#endif
