// SPDX-License-Identifier: BSL-1.0
// expect: fits: the first argument of levenberg_marquardt is an option instead of the start; write levenberg_marquardt(std::array{5.0, 0.5}, with_covariance)
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
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a))
             .levenberg_marquardt(cr::with_covariance, std::array{1.0});
#else
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a))
             .levenberg_marquardt(std::array{1.0}, cr::with_covariance);
#endif
