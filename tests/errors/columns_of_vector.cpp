// SPDX-License-Identifier: BSL-1.0
// expect: columns: a vector of variables is given one range; name its elements, as in columns(v[0_c] = xs, v[1_c] = ys), or pass all points as rows(points)
#include <chainrule/batch.hpp>
#include <chainrule/chainrule.hpp>

#include <array>
#include <vector>

namespace cr = chainrule;
using namespace cr::literals;
constexpr auto v = cr::variables<"v", 2>;
const auto b = cr::batch(cr::function(v[0_c] * v[1_c], cr::wrt(v)));
const std::vector<std::array<double, 2>> points(10);
const std::vector<double> xs(10), ys(10);

#ifdef CHAINRULE_BAD
void f(std::vector<double>& to) { b.values(cr::columns(v = points), to); }
#else
void f(std::vector<double>& to) {
    b.values(cr::columns(v[0_c] = xs, v[1_c] = ys), to);
    b.values(cr::rows(points), to);
}
#endif
