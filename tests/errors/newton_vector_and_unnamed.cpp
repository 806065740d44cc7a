// SPDX-License-Identifier: BSL-1.0
// expect: newton: a parameter does not name its variable; write newton(g, y, start, x = 0.3)
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto y = cr::variable<"y">;
constexpr auto k = cr::variables<"k", 2>;
constexpr auto m = cr::variable<"m">;
constexpr auto g = y * y * m - dot(k, k);

#ifdef CHAINRULE_BAD
constexpr auto root = cr::newton(g, y, 1.0, k = {1.0, 2.0}, 3.0);
#else
constexpr auto root = cr::newton(g, y, 1.0, k = {1.0, 2.0}, m = 3.0);
#endif
