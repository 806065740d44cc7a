// SPDX-License-Identifier: BSL-1.0
// expect: sum, residuals, fits: an argument is not one of wrt(...), given(...), weights(u), mask(m), compensated and threads(n); write sum(f, over(x = xs), wrt(a, b), given(k = 0.3))
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
auto s = cr::sum(a * x, cr::over(x = xs), a);
#else
auto s = cr::sum(a * x, cr::over(x = xs), cr::wrt(a));
#endif
