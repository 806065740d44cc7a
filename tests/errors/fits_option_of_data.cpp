// SPDX-License-Identifier: BSL-1.0
// expect: fits: an argument of levenberg_marquardt is not one of fit_options, with_covariance and report(f); threads(n) and weights(u) are arguments of fits(...)
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
auto s =
    cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a)).levenberg_marquardt(std::array{1.0}, cr::weights(x));
#else
auto s =
    cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a), cr::weights(x)).levenberg_marquardt(std::array{1.0});
#endif
