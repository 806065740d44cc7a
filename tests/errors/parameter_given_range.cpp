// SPDX-License-Identifier: BSL-1.0
// expect: given, set: a single parameter is given something that is not a number; give it one number, or give the range to a vector of parameters, as in given(a = weights) for variables<"a", 3>
#include <chainrule/chainrule.hpp>

#include <vector>

namespace cr = chainrule;
constexpr auto x = cr::variable<"x">;
constexpr auto a = cr::variable<"a">;

double value(const std::vector<double>& weights) {
#ifdef CHAINRULE_BAD
    const auto F = cr::function(a * x, cr::wrt(x), cr::given(a = weights));
#else
    const auto F = cr::function(a * x, cr::wrt(x), cr::given(a = weights[0]));
#endif
    return F(2.0);
}
