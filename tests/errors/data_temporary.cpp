// SPDX-License-Identifier: BSL-1.0
// expect: over: a column is a temporary, whose numbers are gone when the sum is computed; give it a name before the call
#include <chainrule/chainrule.hpp>
#include <chainrule/batch/over.hpp>
#include <array>
#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto y = cr::variable<"y">;
constexpr auto a = cr::variable<"a">;
constexpr auto q = cr::variables<"q", 3>;
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
auto d = cr::over(x = std::vector<double>(10));
#else
auto d = cr::over(x = xs);
#endif
