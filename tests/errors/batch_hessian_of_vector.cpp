// SPDX-License-Identifier: BSL-1.0
// expect: hessian: the function has several values; use one function per value
#include <chainrule/batch.hpp>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto hessians = cr::batch(cr::function(cr::vector(x * y, x), cr::wrt(x, y))).hessian(cr::columns(xs, ys));
#else
auto hessians = cr::batch(cr::function(x * y, cr::wrt(x, y))).hessian(cr::columns(xs, ys));
#endif
