// SPDX-License-Identifier: BSL-1.0
// expect: fits: the argument ranks(...) is for sums; fits do not depend on each other, so give each rank its own
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
const std::vector<double> xs(10), ys(10);

struct two_processes {
    static constexpr bool several = true;
};
template <>
inline constexpr bool cr::batches::is_processes<two_processes> = true;

#ifdef CHAINRULE_BAD
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a), two_processes{});
#else
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a));
#endif
