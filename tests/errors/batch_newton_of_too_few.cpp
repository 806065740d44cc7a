// SPDX-License-Identifier: BSL-1.0
// expect: newton: the number of equations is not the number of unknowns; pass a vector with one expression per unknown
#include <chainrule/chainrule.hpp>
#include <chainrule/batch.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
const std::vector<double> xs(10), ys(10);
const std::vector<float> fs(10);

#ifdef CHAINRULE_BAD
auto s = cr::batch(cr::function(x * y, cr::wrt(x, y))).newton(cr::columns(xs, ys));
#else
auto s = cr::batch(cr::function(cr::vector(x * y, x - y), cr::wrt(x, y))).newton(cr::columns(xs, ys));
#endif
