// SPDX-License-Identifier: BSL-1.0
// expect: for (auto e : v): each element has its own type; name them, as in auto [a, b] = v
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto v = cr::vector(x, x* x);

#ifdef CHAINRULE_BAD
double sum_at(double at) {
    double sum = 0;
    for (auto e : v) sum += e(x = at);
    return sum;
}
#else
double sum_at(double at) {
    double sum = 0;
    for (double e : v(x = at)) sum += e;
    return sum;
}
#endif
