// SPDX-License-Identifier: BSL-1.0
// expect: batch: an expression or code is followed by something other than threads(n); write batch(function(f, wrt(x, y)), threads(4))
#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto s = cr::batch(x * y, cr::wrt(y, x));
#else
auto s = cr::batch(cr::function(x * y, cr::wrt(y, x)));
#endif
