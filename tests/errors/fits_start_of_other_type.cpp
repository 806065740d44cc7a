// SPDX-License-Identifier: BSL-1.0
// expect: fits: the start and the data hold numbers of different types; give both one type, float or double
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
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a)).levenberg_marquardt(cr::columns(fs));
#else
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a)).levenberg_marquardt(cr::columns(xs));
#endif
