// SPDX-License-Identifier: BSL-1.0
// expect: function<n>: the code does not take an array of traced numbers; correct the errors above, if any, or make its argument generic, as in [](const auto& x) { return x[0] * x[1]; }
#include <chainrule/chainrule.hpp>

#include <vector>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto F = cr::function<2>([](const std::vector<double>& q) { return q[0] * q[1]; });
#else
auto F = cr::function<2>([](const auto& q) { return q[0] * q[1]; });
#endif
