// SPDX-License-Identifier: BSL-1.0
// expect: sum, residuals, fits: the function of a row has a variable that nothing binds; bind it to a column in over(...), list it in wrt(...), or give it a value in given(...)
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/sum.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
double s = cr::sum(a * x * y, cr::over(x = xs), cr::wrt(a))(2.0);
#else
double s = cr::sum(a * x * y, cr::over(x = xs, y = ys), cr::wrt(a))(2.0);
#endif
