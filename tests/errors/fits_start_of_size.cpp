// SPDX-License-Identifier: BSL-1.0
// expect: fits: the start must have one number or column per variable in wrt(...); pass a std::array, or columns(...) in order or by name
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
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a)).levenberg_marquardt(std::array{1.0, 2.0});
#else
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a)).levenberg_marquardt(std::array{1.0});
#endif
