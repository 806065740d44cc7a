// SPDX-License-Identifier: BSL-1.0
// expect: function<n>: the count of inputs is not positive; pass 1 or more
#include <chainrule/chainrule.hpp>

namespace cr = chainrule;

#ifdef CHAINRULE_BAD
auto F = cr::function<-2>([](const auto& q) { return q[0] * q[1]; });
#else
auto F = cr::function<2>([](const auto& q) { return q[0] * q[1]; });
#endif
