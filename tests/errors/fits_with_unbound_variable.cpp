// SPDX-License-Identifier: BSL-1.0
// expect: sum, residuals, fits: the function of a row has a variable that nothing binds; bind it to a column in over(...), list it in wrt(...), or give it a value in given(...)
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
auto s = cr::fits(y - a * x, cr::over_fits(x = xs), cr::wrt(a)).levenberg_marquardt(std::array{1.0});
#else
auto s = cr::fits(y - a * x, cr::over_fits(x = xs, y = ys), cr::wrt(a)).levenberg_marquardt(std::array{1.0});
#endif
