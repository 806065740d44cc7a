// SPDX-License-Identifier: BSL-1.0
// expect: function: the point does not have one number per variable in wrt(...); pass that many
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto F = cr::function(x * y, cr::wrt(x, y));

#ifdef CHAINRULE_BAD
auto g = F.gradient({1.0, 2.0, 3.0});
#else
auto g = F.gradient({1.0, 2.0});
static_assert(F({1.0, 2.0}) == 2 && F.hvp({1.0, 2.0}, {1.0, 0.0})[1] == 1);
#endif
