// SPDX-License-Identifier: BSL-1.0
// expect: over_fits: a vector of variables is given one range; name its elements, as in over_fits(v[0_c] = xs, v[1_c] = ys)
#include <chainrule/batch.hpp>

#include <array>
#include <vector>

using namespace chainrule;
using namespace chainrule::literals;

constexpr auto v = variables<"v", 2>;
constexpr auto a = variable<"a">;
const std::vector<double> xs(6), ys(6);

#if defined(CHAINRULE_BAD)
const std::vector<std::array<double, 2>> both(6);
const auto data = over_fits(v = both);
#else
const auto data = over_fits(v[0_c] = rows(xs, 3), v[1_c] = rows(ys, 3));
#endif
const auto all = fits([](const auto& point, auto slope) { return point[1] - slope * point[0]; }, data, wrt(a));
